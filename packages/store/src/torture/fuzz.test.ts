import { TreelineError } from '@treeline/core'
import { expect, test } from 'vitest'
import { type Random, seededRandom } from '../testing/crash-storage.ts'
import { amount, forSeeds, TIMEOUT } from './amounts.ts'
import { placeLog, readAll, readBytes, withSession } from './place-log.ts'
import { sampleDraft } from './sample-entry.ts'
import { makeSampleLog } from './sample-log.ts'

const LOGS = 20
/** Far above what any of these takes: a reader that hangs is found, a machine that is busy is not. */
const MAX_MS = 5000

test('G1, I4 any mutation of a log opens or is refused with a code, and is left as it is', TIMEOUT, async () => {
  const logs: Uint8Array[] = []
  await forSeeds(LOGS, async (seed) => void logs.push((await makeSampleLog(seed, 1 + (seed % 4))).bytes))
  await forSeeds(amount(2000, 500_000), async (seed) => {
    const random = seededRandom(seed)
    let bytes = logs[pick(random, logs.length)]!
    for (let n = 1 + pick(random, 6); n > 0; n--)
      bytes = MUTATIONS[pick(random, MUTATIONS.length)]!(bytes, random, logs)
    const start = performance.now()
    await readEverything(bytes)
    expect(performance.now() - start).toBeLessThan(MAX_MS)
  })
})

/** All that a person does with a session, on bytes nobody vouches for. */
async function readEverything(bytes: Uint8Array): Promise<void> {
  const storage = placeLog(bytes)
  await coded(() =>
    withSession(storage, async (session, store) => {
      const entries = await readAll(session)
      await coded(() => session.line())
      await coded(() => session.context())
      for (const { id } of entries.slice(0, 3)) await coded(() => session.line({ leafId: id }))
      session.report()
      await store.list()
      expect(Buffer.compare(readBytes(storage), bytes)).toBe(0)
      const appended = await coded(() => session.append(sampleDraft('ffffff00', 100), { parentId: null }))
      if (appended === undefined) return
      await coded(() => session.edit({ operations: [{ op: 'mute', nodeIds: ['ffffff00'] }] }))
      await coded(() => store.fork(session, { id: 'fork' }))
      const after = new Set((await withSession(storage, readAll)).map(({ id }) => id))
      expect(entries.filter(({ id }) => !after.has(id))).toEqual([])
      expect(after.has('ffffff00')).toBe(true)
    }),
  )
}

async function coded<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    // No disk fails here: what comes out as internal is a mistake of ours.
    if (error instanceof TreelineError && error.code !== 'internal') return undefined
    throw error
  }
}

type Mutation = (bytes: Uint8Array, random: Random, logs: readonly Uint8Array[]) => Uint8Array

const WORDS = [
  '\n',
  '\r\n',
  '\ufeff',
  '{',
  '}',
  '"',
  '\\',
  '\0',
  '{"type":"message"',
  '}{"type":"',
  '"parentId":null',
  '"parentId":"',
  '{"type":"session","version":1,"id":"x"}\n',
  '{"type":"session","version":99,"id":"x","timestamp":"","cwd":"/"}\n',
  '{"type":"title","v":1,"title":"t"}\n',
  '{"type":"custom","customType":"treeline/edit","id":"e","parentId":null,"timestamp":"","data":{"ops":[{"op":"leaf"}]}}\n',
  '[[[[[[[[[[',
  '1e999',
  '"__proto__":{"x":1},',
].map((word) => Buffer.from(word))

const MUTATIONS: readonly Mutation[] = [
  (bytes, random) => {
    const copy = bytes.slice()
    if (copy.length > 0) copy[pick(random, copy.length)]! ^= 1 << pick(random, 8)
    return copy
  },
  (bytes, random) => bytes.subarray(0, pick(random, bytes.length + 1)),
  (bytes, random) => bytes.subarray(pick(random, bytes.length + 1)),
  (bytes, random) => inserted(bytes, WORDS[pick(random, WORDS.length)]!, pick(random, bytes.length + 1)),
  (bytes, random) => {
    const noise = Uint8Array.from({ length: pick(random, 100) }, () => pick(random, 256))
    return inserted(bytes, noise, pick(random, bytes.length + 1))
  },
  (bytes, random) => {
    const start = pick(random, bytes.length + 1)
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + pick(random, 300))])
  },
  (bytes, random, logs) => {
    const other = logs[pick(random, logs.length)]!
    const start = pick(random, other.length)
    return inserted(bytes, other.subarray(start, start + pick(random, 1000)), pick(random, bytes.length + 1))
  },
  (bytes, random) => {
    const lines = splitLines(bytes)
    const [a, b] = [pick(random, lines.length), pick(random, lines.length)]
    const [first, second] = [lines[a]!, lines[b]!]
    return Buffer.concat(lines.with(a, second).with(b, first))
  },
  // Every parent becomes some other entry: rings, self-parents, orphans.
  (bytes, random) => {
    const text = Buffer.from(bytes).toString('latin1')
    const ids = [...text.matchAll(/"id":"([0-9a-f]{8})"/g)].map((match) => match[1]!)
    const changed = text.replace(/"parentId":"[0-9a-f]{8}"/g, (found) =>
      random() < 0.5 ? found : `"parentId":"${ids[pick(random, ids.length)]}"`,
    )
    return Buffer.from(changed, 'latin1')
  },
]

function inserted(bytes: Uint8Array, piece: Uint8Array, at: number): Uint8Array {
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)])
}

function splitLines(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = []
  for (let start = 0; start < bytes.length || lines.length === 0; ) {
    const end = bytes.indexOf(0x0a, start)
    const next = end < 0 ? bytes.length : end + 1
    lines.push(bytes.subarray(start, next))
    start = next
  }
  return lines
}

function pick(random: Random, count: number): number {
  return Math.floor(random() * count)
}
