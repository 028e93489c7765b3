import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { seededRandom } from '../testing/crash-storage.ts'
import { amount, forSeeds, TIMEOUT } from './amounts.ts'
import { damageOf, readLogBytes } from './read-bytes.ts'
import { makeSampleLog, type SampleLog } from './sample-log.ts'

const FLIPS_PER_LOG = 1000
const LINE_END = 0x0a

test('I2, I3 a flipped bit is seen once the line is read, and hides no other line', TIMEOUT, () =>
  forSeeds(amount(10, 1000), async (seed) => {
    const random = seededRandom(seed)
    const log = await makeSampleLog(seed, 2)
    for (let n = 0; n < FLIPS_PER_LOG; n++) {
      const at = Math.floor(random() * log.bytes.length)
      const bit = Math.floor(random() * 8)
      const problem = await checkFlip(log, at, bit)
      expect(problem && `byte ${at} bit ${bit}: ${problem}`).toBeUndefined()
    }
  }),
)

async function checkFlip({ bytes, lines }: SampleLog, at: number, bit: number): Promise<string | undefined> {
  const flipped = bytes.slice()
  flipped[at]! ^= 1 << bit
  const read = await readLogBytes(flipped)
  // A line end belongs to both its lines.
  const touched = lines.filter(({ start, end }) => start <= at + 1 && at <= end)
  for (const line of lines) {
    if (line.entry === undefined || (touched.includes(line) && bytes[at] !== LINE_END)) continue
    const found = read.entries.some((entry) => entry.id === line.entry!.id && isDeepStrictEqual(entry, line.entry))
    if (!found) return `${line.entry.id}, which was not touched, cannot be read`
  }
  if (isSealKeyOfHeader(lines[0]!.end, at)) return undefined
  const seen = damageOf(read, bytes.length).some(({ start, end }) =>
    touched.some((line) => start <= line.end + 1 && end >= line.start),
  )
  return seen ? undefined : `nobody noticed: ${Buffer.from(flipped.subarray(touched[0]!.start, touched[0]!.end))}`
}

/** The header has no body to be read later: a checksum that is no longer one is a field of its own there. */
function isSealKeyOfHeader(end: number, at: number): boolean {
  return at >= end - 18 && at < end
}
