import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTempProject } from '../testing/temp-project.ts'
import { readProjectSettings, readUserSettings } from './read-settings.ts'

const FILE = 'project/.treeline/settings.json'

function readAs(content: string | Uint8Array) {
  using temp = makeTempProject()
  temp.write('home/settings.json', content)
  const { values, problems } = readUserSettings(temp.home.paths.settingsFile)
  return { values, problems: problems.map(({ kind, message }) => `${kind}: ${message}`) }
}

test('without a file there is nothing to say', () => {
  using temp = makeTempProject()
  expect(readUserSettings(temp.home.paths.settingsFile)).toEqual({ values: {}, problems: [] })
  expect(readProjectSettings(temp.root, temp.home.paths.home)).toBeUndefined()
})

test('a file that is not JSON says where, and that comments are not JSON', () => {
  expect(readAs('{\n  "model": "a/b",\n  // mine\n}').problems[0]).toMatch(
    /^unreadable: .*settings\.json is not JSON, at line 3, column 3: it is plain JSON, without comments/,
  )
  expect(readAs('{\n  "autoTitle": false,\n}').problems[0]).toContain('line 3, column 1: take out the comma before')
  expect(readAs('{"model": ').problems[0]).toContain('line 1, column 11: it ends too early')
  expect(readAs('').problems[0]).toContain('line 1, column 1')
  expect(readAs('[]').problems[0]).toContain('holds no object')
})

test('a byte order mark does no harm, other bytes that are no text do', () => {
  expect(readAs('\ufeff{"autoTitle": false}')).toEqual({ values: { autoTitle: false }, problems: [] })
  expect(readAs(Buffer.from([0x7b, 0xff, 0x7d])).problems[0]).toContain('is not UTF-8')
})

test('what is too large or too deep is refused as a whole', () => {
  expect(readAs(`{"model": "a/b", "x": "${'x'.repeat(1024 * 1024)}"}`).problems[0]).toContain('larger than 1 MiB')
  expect(readAs(`{"x": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`).problems[0]).toContain('deeper than 32')
  expect(readAs(`${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`).values).toEqual({})
})

test('a folder, a pipe or a file one may not read is a problem, and nobody waits', () => {
  using temp = makeTempProject()
  const { settingsFile } = temp.home.paths
  execFileSync('sh', ['-c', 'mkfifo "$0"', settingsFile])
  expect(readUserSettings(settingsFile).problems[0]!.message).toContain('is not a file')
  using other = makeTempProject()
  mkdirSync(other.home.paths.settingsFile)
  expect(readUserSettings(other.home.paths.settingsFile).problems).toHaveLength(1)
})

test.skipIf(process.getuid?.() === 0)('a file one may not read is a problem', () => {
  using temp = makeTempProject()
  chmodSync(temp.write('home/settings.json', '{}'), 0)
  expect(readUserSettings(temp.home.paths.settingsFile).problems[0]!.message).toContain('no permission')
})

test("the nearest folder's file counts, up to the one with .git", () => {
  using temp = makeTempProject()
  const { home } = temp.home.paths
  const deep = join(temp.root, 'a', 'b')
  mkdirSync(deep, { recursive: true })
  temp.write('.treeline/settings.json', { autoTitle: false })
  expect(readProjectSettings(deep, home)).toBeUndefined()
  const file = temp.write(FILE, { maxSteps: 5 })
  expect(readProjectSettings(deep, home)).toMatchObject({ file, values: { maxSteps: 5 }, problems: [] })
  temp.write('project/a/.treeline/settings.json', { maxSteps: 6 })
  expect(readProjectSettings(deep, home)?.values).toEqual({ maxSteps: 6 })
})

test('without .git it is looked for up to the top', () => {
  using temp = makeTempProject()
  temp.write('.treeline/settings.json', { maxSteps: 7 })
  mkdirSync(join(temp.above, 'loose', 'deeper'), { recursive: true })
  const found = readProjectSettings(join(temp.above, 'loose', 'deeper'), temp.home.paths.home)
  expect(found?.values).toEqual({ maxSteps: 7 })
})

test("the user's home is nobody's project, also through a link", () => {
  using temp = makeTempProject()
  temp.write('user/.treeline/settings.json', { approvalMode: 'yolo' })
  mkdirSync(join(temp.above, 'user', 'work'))
  expect(readProjectSettings(join(temp.above, 'user', 'work'), join(temp.above, 'user', '.treeline'))).toBeUndefined()
  symlinkSync(join(temp.above, 'user'), join(temp.above, 'link'))
  expect(readProjectSettings(join(temp.above, 'link', 'work'), join(temp.above, 'link', '.treeline'))).toBeUndefined()
})

test('a link in a project may not lead out of it', () => {
  using temp = makeTempProject()
  const secret = temp.write('secret.json', { maxSteps: 1 })
  mkdirSync(join(temp.root, '.treeline'))
  symlinkSync(secret, join(temp.root, '.treeline', 'settings.json'))
  const found = readProjectSettings(temp.root, temp.home.paths.home)
  expect(found?.values).toEqual({})
  expect(found!.problems[0]!.message).toContain('leads out of the project')
})

test.runIf(process.getuid?.() === 0)("a stranger's file above the working folder does not count", () => {
  using temp = makeTempProject()
  const file = temp.write('.treeline/settings.json', { maxSteps: 7 })
  const work = join(temp.above, 'loose')
  mkdirSync(work)
  chownSync(file, 12_345, 12_345)
  const { home } = temp.home.paths
  expect(readProjectSettings(work, home)).toMatchObject({ values: {}, problems: [{ kind: 'unreadable' }] })
  // A project whose files all belong to somebody else, as in a container, is one.
  chownSync(work, 12_345, 12_345)
  expect(readProjectSettings(work, home)).toMatchObject({ values: { maxSteps: 7 }, problems: [] })
})
