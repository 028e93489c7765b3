import { deepStrictEqual as equal } from 'node:assert'
import { describe, expect, test } from 'vitest'
import { type Random, seededRandom } from '../testing/crash-storage.ts'
import { amount, forSeeds, TIMEOUT } from './amounts.ts'
import { placeLog, readAll, readBytes, withSession } from './place-log.ts'
import { sampleDraft } from './sample-entry.ts'
import { makeSampleLog, type SampleLog } from './sample-log.ts'

const LOGS = amount(10, 500)
const NEW = sampleDraft('0000000a', 50)

/** What a kind of damage leaves: the bytes, the lines whose entries must still be there, and what the report must say. */
interface Damaged {
  readonly bytes: Uint8Array
  readonly kept: readonly Uint8Array[]
  readonly says: 'nothing' | 'note' | 'damage' | 'problem'
}
type Lines = readonly Uint8Array[]

const END = Buffer.from('\n')
const joined = (lines: Lines): Uint8Array => Buffer.concat(lines.flatMap((line) => [line, END]))
const pick = (random: Random, count: number): number => Math.floor(random() * count)

/** The first line is the header and stays; `at` is any other. */
const KINDS: Record<string, (lines: Lines, at: number, random: Random) => Damaged> = {
  'two lines spliced': (lines, at) => {
    const next = lines[at + 1] ?? Buffer.alloc(0)
    const spliced = [...lines.slice(0, at), Buffer.concat([lines[at]!, next]), ...lines.slice(at + 2)]
    return { bytes: joined(spliced), kept: lines, says: 'nothing' }
  },
  'a torn line with the next one glued to it': (lines, at, random) => {
    const torn = lines[at]!.subarray(0, 1 + pick(random, lines[at]!.length - 1))
    const glued = [...lines.slice(0, at), Buffer.concat([torn, lines[at + 1] ?? END]), ...lines.slice(at + 2)]
    return { bytes: joined(glued), kept: lines.filter((_, i) => i !== at), says: 'damage' }
  },
  'a run of NULs between lines': (lines, at, random) => {
    const nuls = Buffer.alloc(1 + pick(random, 5000))
    return { bytes: joined([...lines.slice(0, at), nuls, ...lines.slice(at)]), kept: lines, says: 'damage' }
  },
  'a run of NULs before a line': (lines, at, random) => {
    const nuls = Buffer.alloc(1 + pick(random, 5000))
    return { bytes: joined(lines.with(at, Buffer.concat([nuls, lines[at]!]))), kept: lines, says: 'damage' }
  },
  'NULs in place of a line': (lines, at) => ({
    bytes: joined(lines.with(at, Buffer.alloc(lines[at]!.length))),
    kept: lines.filter((_, i) => i !== at),
    says: 'damage',
  }),
  'a byte order mark': (lines) => ({
    bytes: Buffer.concat([Buffer.from('\ufeff'), joined(lines)]),
    kept: lines,
    says: 'note',
  }),
  'line ends of another system': (lines) => ({
    bytes: Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\r\n')])),
    kept: lines,
    says: 'nothing',
  }),
  'a line twice': (lines, at, random) => ({
    bytes: joined([...lines.slice(0, at + 1 + pick(random, lines.length - at)), lines[at]!, ...lines.slice(at + 1)]),
    kept: lines,
    says: 'problem',
  }),
  'lines in another order': (lines, _, random) => ({
    bytes: joined([lines[0]!, ...shuffled(lines.slice(1), random)]),
    kept: lines,
    says: 'nothing',
  }),
  'a line missing': (lines, at) => ({
    bytes: joined(lines.filter((_, i) => i !== at)),
    kept: lines.filter((_, i) => i !== at),
    says: 'nothing',
  }),
  'no last line end': (lines) => ({ bytes: joined(lines).subarray(0, -1), kept: lines, says: 'nothing' }),
  'blank lines': (lines, at) => ({
    bytes: joined([...lines.slice(0, at), Buffer.from(''), Buffer.from('  \t'), ...lines.slice(at)]),
    kept: lines,
    says: 'note',
  }),
}

describe.each(Object.keys(KINDS))('I2–I4 %s', (kind) => {
  test('hides no good entry, is reported, is left as it is, and the session goes on', TIMEOUT, () =>
    forSeeds(LOGS, async (seed) => {
      const random = seededRandom(seed)
      const log = await makeSampleLog(seed, 2)
      const lines = linesOf(log)
      for (let n = 0; n < 5; n++) {
        await checkDamage(log, KINDS[kind]!(lines, 1 + pick(random, lines.length - 1), random))
      }
    }),
  )
})

async function checkDamage(log: SampleLog, { bytes, kept, says }: Damaged): Promise<void> {
  const storage = placeLog(bytes)
  const lines = linesOf(log)
  const expected = log.lines.flatMap(({ entry }, i) => (entry && kept.includes(lines[i]!) ? [entry] : []))
  const appended = await withSession(
    storage,
    async (session) => {
      equal(byId(await readAll(session)), byId(expected))
      equal(Buffer.compare(readBytes(storage), bytes), 0)
      const { skipped, unreadable, problems } = session.report()
      if (says === 'damage') expect(skipped.filter((s) => s.severity === 'damage').length + unreadable.length).toBe(1)
      else expect(skipped.filter((s) => s.severity === 'damage').length + unreadable.length).toBe(0)
      if (says === 'note') expect(skipped.length).toBeGreaterThan(0)
      if (says === 'problem') expect(problems.map(({ type }) => type)).toContain('duplicate_id')
      return session.append(NEW)
    },
    { acceptDamage: true },
  )
  equal(Buffer.compare(readBytes(storage).subarray(0, bytes.length), bytes), 0)
  await withSession(storage, async (session) => equal(byId(await readAll(session)), byId([...expected, appended])))
}

/** Duplicates count once. */
function byId(entries: readonly { readonly id: string }[]): unknown[] {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

const cache = new WeakMap<SampleLog, Lines>()
function linesOf(log: SampleLog): Lines {
  const lines = cache.get(log) ?? log.lines.map(({ start, end }) => log.bytes.subarray(start, end))
  cache.set(log, lines)
  return lines
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const left = [...items]
  return items.map(() => left.splice(pick(random, left.length), 1)[0]!)
}
