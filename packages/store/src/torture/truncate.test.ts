import { deepStrictEqual as equal } from 'node:assert'
import { expect, test } from 'vitest'
import { amount, forSeeds, TIMEOUT } from './amounts.ts'
import { placeLog, readAll, readBytes, withSession } from './place-log.ts'
import { readLogBytes } from './read-bytes.ts'
import { sampleDraft } from './sample-entry.ts'
import { makeSampleLog, type SampleLog } from './sample-log.ts'

const NEW = sampleDraft('0000000a', 50)
const LINE_END = 0x0a
const LATER = sampleDraft('0000000b', 50)

test('D1, I2–I4 a log cut at any byte opens as it is, keeps every whole line and goes on', TIMEOUT, () =>
  forSeeds(amount(1, 50), async (seed) => {
    const log = await makeSampleLog(seed, 3)
    expect(log.bytes.length).toBeGreaterThan(4000)
    for (let cut = 0; cut <= log.bytes.length; cut++) {
      await checkCut(log, cut).catch((error) => {
        throw new Error(`cut at ${cut}: ${error.message}`, { cause: error })
      })
    }
  }),
)

async function checkCut({ bytes, lines }: SampleLog, cut: number): Promise<void> {
  const kept = bytes.slice(0, cut)
  const storage = placeLog(kept)
  const whole = lines.filter(({ end }) => end <= cut)
  const expected = whole.flatMap(({ entry }) => entry ?? [])
  const torn = lines.find(({ start, end }) => start < cut && cut < end)

  const first = await withSession(storage, async (session) => {
    equal(await readAll(session), expected)
    const { skipped, notes, unreadable, tornAt } = session.report()
    equal({ skipped, notes, unreadable, tornAt }, { skipped: [], notes: [], unreadable: [], tornAt: torn?.start })
    equal(Buffer.compare(readBytes(storage), kept), 0)
    if (whole.length > 0) return session.append(NEW)
    equal(session.access, { mode: 'read', reason: 'no_header' })
    await expect(session.append(NEW)).rejects.toMatchObject({ code: 'session_locked' })
    return undefined
  })
  if (first === undefined) {
    equal(Buffer.compare(readBytes(storage), kept), 0)
    return
  }
  const second = await withSession(storage, async (session) => {
    equal(session.access, { mode: 'write' })
    // D3 what was cut short can be sent again, whatever is left of it.
    if (torn?.entry?.type !== 'message') return session.append(LATER)
    const { parentId: _, timestamp: __, ...draft } = torn.entry
    return session.append(draft)
  })
  equal(Buffer.compare(readBytes(storage).subarray(0, cut), kept), 0)
  // Other tools do not look for a record behind a torn one: ours begins a line.
  if (kept.at(-1) !== LINE_END) equal(readBytes(storage)[cut], LINE_END)
  const { entries, skipped, unreadable, tornAt } = await readLogBytes(readBytes(storage))
  equal(entries, [...expected, first, second])
  const damage = [...skipped.filter(({ severity }) => severity === 'damage'), ...unreadable.map((e) => e.details)]
  equal({ damage: damage.map(({ offset }) => offset), tornAt }, { damage: torn ? [torn.start] : [], tornAt: undefined })
}
