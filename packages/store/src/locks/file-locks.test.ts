import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { homePaths } from '../paths.ts'
import { openDatabase } from '../sqlite.ts'
import { createFileLocks } from './file-locks.ts'

let home: string
const children: ChildProcess[] = []

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'treeline-locks-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(home, { recursive: true })
})

function makeLocks(timeoutMs?: number) {
  return createFileLocks({ paths: homePaths(home), ...(timeoutMs === undefined ? {} : { timeoutMs }) })
}

const COUNT = new URL('../testing/count-under-lock.ts', import.meta.url)
const HOLD = new URL('../testing/hold-lock.ts', import.meta.url)

function start(script: URL, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  return child
}

async function holdElsewhere(sessionId: string): Promise<ChildProcess> {
  const child = start(HOLD, home, sessionId)
  await once(child.stdout!, 'data')
  return child
}

async function pathOfLock(): Promise<string> {
  const locks = makeLocks()
  await locks.run('s', () => {})
  locks.close()
  const [name] = readdirSync(join(home, 'locks'))
  return join(home, 'locks', name!)
}

test('C1 four processes count in one file and lose nothing', async () => {
  const counter = join(home, 'counter')
  writeFileSync(counter, '0')
  const counters = [1, 2, 3, 4].map(() => start(COUNT, home, 's', counter, '250'))
  const exits = await Promise.all(counters.map((child) => once(child, 'exit')))
  expect(exits).toEqual([1, 2, 3, 4].map(() => [0, null]))
  expect(readFileSync(counter, 'utf8')).toBe('1000')
})

test('C1 who takes the lock with BEGIN EXCLUSIVE, as earlier versions did, keeps us out, and we them', async () => {
  const path = await pathOfLock()
  const locks = makeLocks(30)
  using database = openDatabase(path, { timeout: 0 })
  database.exec('BEGIN EXCLUSIVE')
  await expect(locks.run('s', () => {})).rejects.toMatchObject({ code: 'session_locked' })
  database.exec('ROLLBACK')
  await locks.run('s', () => {
    expect(() => database.exec('BEGIN EXCLUSIVE')).toThrow('locked')
  })
  database.exec('BEGIN EXCLUSIVE; ROLLBACK')
  locks.close()
})

test('C1 a process killed with -9 leaves its lock free', async () => {
  const child = await holdElsewhere('s')
  const locks = makeLocks()
  let done = false
  const waiting = locks.run('s', () => {
    done = true
  })
  expect(done).toBe(false)
  child.kill('SIGKILL')
  await waiting
  expect(done).toBe(true)
  locks.close()
})

test('R2 a lock that stays taken is given up after the timeout, and says what to do', async () => {
  await holdElsewhere('s')
  const locks = makeLocks(50)
  const refused = locks.run('s', () => 'never')
  await expect(refused).rejects.toMatchObject({
    code: 'session_locked',
    message: expect.stringContaining('resume or end'),
  })
  locks.close()
})

test('while another process has the lock, this process waits in order', async () => {
  const child = await holdElsewhere('s')
  const locks = makeLocks()
  const other = makeLocks()
  const order: number[] = []
  const waiting = Array.from({ length: 40 }, (_, n) => (n % 2 ? locks : other).run('s', () => order.push(n)))
  child.kill('SIGKILL')
  await Promise.all(waiting)
  expect(order).toEqual(Array.from({ length: 40 }, (_, n) => n))
  locks.close()
  other.close()
})

test('waiting does not block the event loop', async () => {
  const child = await holdElsewhere('s')
  const locks = makeLocks()
  const waiting = locks.run('s', () => {})
  for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve))
  child.kill('SIGKILL')
  await waiting
  locks.close()
})

test('while another process has the lock, there is something to do before each try', async () => {
  const child = await holdElsewhere('s')
  const locks = makeLocks()
  const order: string[] = []
  const { promise: tried, resolve } = Promise.withResolvers<void>()
  const whileWaiting = () => {
    if (order.push('waiting') === 3) resolve()
  }
  const waiting = locks.run('s', () => order.push('work'), { whileWaiting, afterwards: () => order.push('afterwards') })
  await tried
  child.kill('SIGKILL')
  await waiting
  expect(order.slice(-3)).toEqual(['waiting', 'work', 'afterwards'])
  expect(order.indexOf('work')).toBe(order.length - 2)
  locks.close()
})

test('two stores of one process share a home, and one closing leaves the other its lock', async () => {
  const [a, b] = [makeLocks(), makeLocks()]
  let nested: Promise<string> | undefined
  await a.run('s', () => {
    nested = b.run('s', () => 'b')
    a.close()
  })
  expect(await nested).toBe('b')
  expect(await b.run('s', () => 'again')).toBe('again')
  b.close()
})

test('K5 lock files are 0600 in a folder 0700, and nothing else is left there', async () => {
  const path = await pathOfLock()
  expect(path).toMatch(/\/locks\/[0-9a-f]{2}$/)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(home, 'locks')).mode & 0o777).toBe(0o700)
  expect(readdirSync(join(home, 'locks'))).toHaveLength(1)
})

test.each([0o000, 0o022, 0o777])('K5 the folder of locks is 0700 under umask %o', async (mask) => {
  const umask = process.umask(mask)
  try {
    await pathOfLock()
  } finally {
    process.umask(umask)
  }
  expect(statSync(join(home, 'locks')).mode & 0o777).toBe(0o700)
})

test('a free lock writes nothing', async () => {
  const path = await pathOfLock()
  const before = statSync(path, { bigint: true })
  const locks = makeLocks()
  await locks.run('s', () => expect(readdirSync(join(home, 'locks'))).toHaveLength(1))
  locks.close()
  expect(statSync(path, { bigint: true }).mtimeNs).toBe(before.mtimeNs)
})

test('a free lock costs microseconds', async () => {
  const locks = makeLocks()
  const rounds = 500
  let bestMs = Number.POSITIVE_INFINITY
  for (let n = 0; n < 10; n++) {
    const startedAt = performance.now()
    for (let i = 0; i < rounds; i++) await locks.run('s', () => i)
    bestMs = Math.min(bestMs, performance.now() - startedAt)
  }
  // About 20 µs on a quiet machine; the limit leaves room for a busy one and catches a sync or a timer on the way.
  expect((bestMs / rounds) * 1000).toBeLessThan(150)
  locks.close()
})

test('C1 a lock file deleted under a running process is noticed', async () => {
  const path = await pathOfLock()
  const locks = makeLocks()
  await locks.run('s', () => {})
  rmSync(path)
  const child = await holdElsewhere('s')
  let done = false
  const waiting = locks.run('s', () => {
    done = true
  })
  expect(done).toBe(false)
  child.kill('SIGKILL')
  await waiting
  locks.close()
})

test('an emptied lock file is made good', async () => {
  const path = await pathOfLock()
  writeFileSync(path, '')
  const locks = makeLocks()
  expect(await locks.run('s', () => 1)).toBe(1)
  expect(statSync(path).size).toBeGreaterThan(0)
  locks.close()
})

test('C1 who comes first to a new lock file waits for others that look at it in that moment', async () => {
  const path = await pathOfLock()
  writeFileSync(path, '')
  const other = openDatabase(path, { timeout: 0 })
  other.exec('BEGIN')
  other.prepare('SELECT count(*) FROM sqlite_master').get()
  const locks = makeLocks()
  const order: string[] = []
  const locked = locks.run('s', () => order.push('locked'))
  await setTimeout(20)
  order.push('looked away')
  other.exec('ROLLBACK')
  await locked
  other.close()
  locks.close()
  expect(order).toEqual(['looked away', 'locked'])
})

test('R2 a damaged lock file is refused and says so', async () => {
  const path = await pathOfLock()
  writeFileSync(path, 'x'.repeat(5000))
  const locks = makeLocks()
  const refused = expect.objectContaining({ code: 'damaged', message: expect.stringContaining(path) })
  await expect(locks.run('s', () => 1)).rejects.toEqual(refused)
  await expect(locks.run('s', () => 1)).rejects.toEqual(refused)
  rmSync(path)
  expect(await locks.run('s', () => 1)).toBe(1)
  locks.close()
})

test('K3 a link in place of a lock file is not followed', async () => {
  const path = await pathOfLock()
  const target = join(home, 'target')
  openDatabase(target).close()
  rmSync(path)
  symlinkSync(target, path)
  const locks = makeLocks()
  await expect(locks.run('s', () => 1)).rejects.toMatchObject({ code: 'forbidden' })
  locks.close()
  expect(statSync(target).size).toBe(0)
})

test.each(['file', 'folder'])('R2 a %s in the way is refused and says so', async (kind) => {
  const path = kind === 'file' ? join(home, 'locks') : await pathOfLock()
  rmSync(path, { force: true })
  if (kind === 'file') writeFileSync(path, '')
  else mkdirSync(path)
  const locks = makeLocks()
  await expect(locks.run('s', () => 1)).rejects.toMatchObject({ message: expect.stringContaining(path) })
  locks.close()
})
