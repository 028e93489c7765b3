import { basename, dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultHome, homePaths } from './paths.ts'

const paths = homePaths('/home/ann/.treeline')
const HASH = 'a'.repeat(64)
const session = { cwd: '/work', id: '0198c0de-0000-7000-8000-000000000001', timestamp: '2026-01-02T03:04:05.678Z' }

test('S1 a session lies in a folder named for its working directory', () => {
  expect(paths.sessionFile({ ...session, cwd: '/home/ann/my:proj\\x' })).toBe(
    `/home/ann/.treeline/sessions/--home-ann-my-proj-x--/2026-01-02T03-04-05-678Z_${session.id}.jsonl`,
  )
})

test('S2 a blob lies under its hash', () => {
  expect(paths.blobFile(HASH)).toBe(`/home/ann/.treeline/blobs/${HASH}`)
})

test('the other paths', () => {
  expect(paths.lockFile(0)).toBe('/home/ann/.treeline/locks/00')
  expect(paths.lockFile(255)).toBe('/home/ann/.treeline/locks/ff')
  expect(paths.columnsFile(session.id)).toBe(`/home/ann/.treeline/index/${session.id}.cols`)
  expect(paths.partialFile(session.id, 'abcd1234')).toBe(`/home/ann/.treeline/partial/${session.id}/abcd1234`)
})

const HOSTILE = ['', '.', '..', '../x', 'a/b', 'a\\b', '/etc/passwd', 'a\0b', 'a\n', '-rf', '~', 'x'.repeat(129), 'ä']

test.each(HOSTILE)('K3 %j is refused as an id', (id) => {
  const refused = expect.objectContaining({ code: 'validation_failed' })
  expect(() => paths.sessionFile({ ...session, id })).toThrow(refused)
  expect(() => paths.columnsFile(id)).toThrow(refused)
  expect(() => paths.partialDir(id)).toThrow(refused)
  expect(() => paths.partialFile(session.id, id)).toThrow(refused)
  expect(() => paths.blobTempFile(HASH, id)).toThrow(refused)
})

test.each([...HOSTILE, HASH.toUpperCase(), HASH.slice(1), `${HASH}a`, `${HASH}\n`])(
  'K3 %j is refused as a hash',
  (hash) => {
    expect(() => paths.blobFile(hash)).toThrow(expect.objectContaining({ code: 'validation_failed' }))
  },
)

test.each([...HOSTILE, '2026/01/02', '../2026'])('K3 %j is refused as a timestamp', (timestamp) => {
  expect(() => paths.sessionFile({ ...session, timestamp })).toThrow(
    expect.objectContaining({ code: 'validation_failed' }),
  )
})

test.each([-1, 256, 1.5, Number.NaN])('K3 %j is refused as the number of a lock', (number) => {
  expect(() => paths.lockFile(number)).toThrow(expect.objectContaining({ code: 'validation_failed' }))
})

test('K3 no working directory leads out of the sessions folder, or makes a name too long', () => {
  const part = fc.constantFrom(
    '..',
    '.',
    '/',
    '\\',
    ':',
    '~',
    ' ',
    '\n',
    'ä',
    '😀',
    '\ud800',
    'a',
    'x'.repeat(100),
    '語'.repeat(90),
  )
  const cwd = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(part).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(cwd, (cwd) => {
      if (cwd.includes('\0')) {
        expect(() => paths.sessionDir(cwd)).toThrow(expect.objectContaining({ code: 'validation_failed' }))
        return
      }
      const dir = paths.sessionDir(cwd)
      expect(dirname(dir)).toBe(paths.sessions)
      expect(basename(dir)).toMatch(/^--[^/\\:]*--$/s)
      expect(Buffer.byteLength(basename(dir))).toBeLessThanOrEqual(255)
      expect(paths.isSessionFile(join(dir, 'x.jsonl'))).toBe(true)
    }),
  )
})

test('long working directories that begin alike get folders of their own', () => {
  const long = `/${'deep/'.repeat(100)}`
  const dirs = new Set([`${long}a`, `${long}b`, long].map((cwd) => paths.sessionDir(cwd)))
  expect(dirs.size).toBe(3)
})

test('I4 only logs in a folder of sessions are our own', () => {
  const { home, sessions } = paths
  const own = [join(sessions, '--p--', 'x.jsonl'), `${sessions}/--p--/../..x/y.jsonl`, paths.sessionFile(session)]
  const others = ['', '/', home, sessions, `${home}/x.jsonl`, `${sessions}/x.jsonl`, `${sessions}/a/b/x.jsonl`].concat(
    [`${sessions}/a/x.jsonl.v1`, `${sessions}/a/x.txt`, `${sessions}/a/../../x.jsonl`, `${home}/index/a/x.jsonl`],
    [`${home}s/sessions/a/x.jsonl`],
  )
  expect(own.filter((path) => !paths.isSessionFile(path))).toEqual([])
  expect(others.filter((path) => paths.isSessionFile(path))).toEqual([])
})

test('home is $TREELINE_HOME, else .treeline in the user home', () => {
  expect(defaultHome({ TREELINE_HOME: '/data/t', HOME: '/home/ann' })).toBe('/data/t')
  expect(defaultHome({ TREELINE_HOME: 't' })).toBe(join(process.cwd(), 't'))
  expect(defaultHome({ TREELINE_HOME: '', HOME: '/home/ann' })).toBe('/home/ann/.treeline')
  expect(() => homePaths('')).toThrow(expect.objectContaining({ code: 'validation_failed' }))
  expect(() => homePaths('/a\0b')).toThrow(expect.objectContaining({ code: 'validation_failed' }))
})
