import { expect, onTestFinished, test } from 'vitest'
import { Frame } from './frame.ts'
import { RecentFrames } from './recent-frames.ts'

const MIB = 1024 * 1024

function frame(seq: number, chars: number): Frame {
  const common = { seq, version: seq, ts: '', sessionId: 's' }
  return new Frame(seq, [{ ...common, type: 'entry.appended', entryId: 'x'.repeat(chars), entryType: 'other' }])
}

function recent(): RecentFrames {
  const frames = new RecentFrames()
  onTestFinished(() => frames.clear())
  return frames
}

test('W6 the newest are kept, up to a number and a size', () => {
  const many = recent()
  for (let seq = 1; seq <= 2_001; seq++) many.add(frame(seq, 10))
  expect([1, 2, 2_001].map((seq) => many.get(seq)?.seq)).toEqual([undefined, 2, 2_001])
  const large = recent()
  for (let seq = 1; seq <= 10; seq++) large.add(frame(seq, MIB))
  expect([3, 4, 10].map((seq) => large.get(seq)?.seq)).toEqual([undefined, 4, 10])
})

test('W6 many sessions together keep no more than a few do, and those that are in use', () => {
  const sessions = Array.from({ length: 70 }, recent)
  for (const frames of sessions) frames.add(frame(1, MIB))
  const isKept = sessions.map((frames) => frames.get(1) !== undefined)
  expect(isKept).toEqual(sessions.map((_, i) => i >= 7))
})
