import { setImmediate } from 'node:timers/promises'
import { encodeLine } from '@treeline/core'
import { expect, test } from 'vitest'
import { encodeSlot, makeSlot } from '../log/title-slot.ts'
import { openMemoryStore } from '../memory-store.ts'
import type { Session } from '../session/session.ts'
import { errnoError } from '../storage/errno.ts'
import type { SessionStorage, StorageReader } from '../storage/storage.ts'
import { createCrashStorage, type Random, seededRandom } from '../testing/crash-storage.ts'
import { amount, forSeeds, TIMEOUT } from './amounts.ts'
import { withLostPages } from './lost-pages.ts'
import { HOME, readAll } from './place-log.ts'
import { sampleDraft } from './sample-entry.ts'

const PATH = '/omp/s.jsonl'
const STEPS = 40
const TIMESTAMP = '2026-01-15T10:00:00.000Z'
const HEADER = `${JSON.stringify({ type: 'session', version: 3, id: 's', timestamp: TIMESTAMP, cwd: '/work' })}\n`

const lineOf = (id: string, bytes = 50) =>
  encodeLine({ ...sampleDraft(id, bytes), id, parentId: null, timestamp: TIMESTAMP })

/** A disk on which syncs of logs take their time, in any order, and fail now and then; what one loses no other writes. */
function unreliableDisk(random: Random) {
  const disk = createCrashStorage()
  const held: (() => void)[] = []
  const odds = { fails: 0, failsAtOnce: 0, isHeld: 0 }
  const wrap = <T extends StorageReader>(file: T, path: string): T => {
    const [sync, atOnce] = [file.datasync.bind(file), file.datasyncSync.bind(file)]
    const datasync = async (): Promise<void> => {
      if (random() < odds.isHeld) await new Promise<void>((resolve) => held.push(resolve))
      if (random() < odds.fails) throw errnoError('EIO', 'fdatasync', path)
      await sync()
    }
    const datasyncSync = (): void => {
      if (random() < odds.failsAtOnce) throw errnoError('EIO', 'fdatasync', path)
      atOnce()
    }
    return path === PATH ? Object.assign(file, { datasync, datasyncSync }) : file
  }
  const pages = withLostPages({
    ...disk,
    openReader: (path) => wrap(disk.openReader(path), path),
    openWriter: (path, options) => wrap(disk.openWriter(path, options), path),
  })
  const afterCrash = (): SessionStorage => {
    const after = disk.crash(() => 0.999)
    pages.lose(after)
    return after
  }
  return { storage: pages.storage, odds, held, afterCrash }
}

function write(storage: SessionStorage, bytes: Uint8Array): void {
  const file = storage.openWriter(PATH, { flags: 'a' })
  file.writeSync(bytes)
  file.closeSync()
}

/** As another process whose disk is full: what came out short is cut off again, unless somebody wrote behind it. */
async function writeAndTakeBack(storage: SessionStorage, bytes: Uint8Array, meanwhile: () => unknown): Promise<void> {
  const file = storage.openWriter(PATH, { flags: 'ra' })
  const { size } = file.statSync()
  file.writeSync(bytes)
  meanwhile()
  for (let turn = 0; turn < 4; turn++) await setImmediate()
  if (file.statSync().size === size + bytes.length) file.truncateSync(size)
  file.closeSync()
}

/** Several logs of one file in one process, opened and closed, beside other writers. Returns what must not be lost. */
async function useTogether(
  random: Random,
  { storage, odds, held }: ReturnType<typeof unreliableDisk>,
): Promise<string[]> {
  const below = (end: number): number => Math.floor(random() * end)
  const oneOf = <T>(all: readonly T[]): T | undefined => all[below(all.length)]
  const strict = [await openMemoryStore({ storage, home: HOME }), await openMemoryStore({ storage, home: HOME })]
  const lax = await openMemoryStore({ storage, home: HOME, durability: 'written' })
  const acknowledged: string[] = []
  const refused: string[] = []
  const open: { readonly session: Session; readonly isStrict: boolean }[] = []
  const jobs: Promise<unknown>[] = []
  let count = 0

  async function openOne(): Promise<void> {
    const store = oneOf([...strict, lax])!
    const how = random() < 0.2 ? { readOnly: true } : { inPlace: true }
    const session = await store.openPath(PATH, { ...how, acceptDamage: random() < 0.5 })
    open.push({ session, isStrict: store !== lax })
  }
  function append(): void {
    const one = oneOf(open)
    if (one === undefined || one.session.access.mode === 'read') return
    const { session, isStrict } = one
    // Whoever was refused asks again, of any log.
    const again = isStrict && random() < 0.5 ? oneOf(refused) : undefined
    const id = again ?? (++count).toString(16).padStart(8, '0')
    const list = (ids: string[]) => () => isStrict && ids.push(id)
    jobs.push(session.append(sampleDraft(id, 50)).then(list(acknowledged), list(refused)))
  }
  function refresh(): void {
    jobs.push(
      oneOf(open)
        ?.session.refresh()
        .catch(() => {}) ?? Promise.resolve(),
    )
  }
  const steps: readonly (() => unknown)[] = [
    append,
    append,
    append,
    append,
    () =>
      jobs.push(
        oneOf(open)
          ?.session.refresh()
          .catch(() => {}) ?? Promise.resolve(),
      ),
    () => open.length < 5 && Promise.race([openOne(), setImmediate()]),
    () => jobs.push(...open.splice(below(open.length + 1), 1).map(({ session }) => session.close())),
    () =>
      jobs.push(
        oneOf(open)
          ?.session.rename(`name ${count}`)
          .catch(() => {}) ?? Promise.resolve(),
      ),
    () => write(storage, lineOf(`foreign${++count}`)),
    () => writeAndTakeBack(storage, lineOf('taken back', 3000).subarray(0, 100 + below(2000)), refresh),
    () => held.splice(below(held.length), 1)[0]?.(),
    () => held.splice(below(held.length), 1)[0]?.(),
    () => setImmediate(),
  ]
  await openOne()
  await openOne()
  odds.fails = oneOf([0, 0.1, 0.3, 0.5])!
  odds.failsAtOnce = oneOf([0, 0.4])!
  odds.isHeld = oneOf([0, 0.5, 0.9])!
  for (let step = 0; step < STEPS; step++) await oneOf(steps)!()
  if (random() < 0.5) await endAll()
  return acknowledged.slice()

  /** Nobody waits for ever. */
  async function endAll(): Promise<void> {
    odds.isHeld = 0
    const letGo = setInterval(() => {
      for (const go of held.splice(0)) go()
    }, 0)
    await Promise.allSettled(open.map(({ session }) => session.close()))
    await Promise.allSettled(jobs)
    clearInterval(letGo)
  }
}

const COUNT = amount(200, 20_000)

test(`D1, D5 ${COUNT} times several logs of one file, syncs that fail: nothing acknowledged is lost`, TIMEOUT, () =>
  forSeeds(COUNT, async (seed) => {
    const random = seededRandom(seed)
    const disk = unreliableDisk(random)
    disk.storage.ensureDirSync('/omp')
    write(
      disk.storage,
      Buffer.concat([encodeSlot(makeSlot('theirs', TIMESTAMP)), Buffer.from(HEADER), lineOf('first')]),
    )
    const file = disk.storage.openReader(PATH)
    file.datasyncSync()
    file.closeSync()
    disk.storage.syncDirSync('/omp')
    disk.storage.syncDirSync('/')
    const acknowledged = await useTogether(random, disk)
    await using store = await openMemoryStore({ storage: disk.afterCrash(), home: HOME })
    const found = await readAll(await store.openPath(PATH, { readOnly: true }))
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged))
  }),
)
