import { execFile } from 'node:child_process'
import { lstatSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeTempProject } from '../testing/temp-project.ts'
import { readUserSettings } from './read-settings.ts'
import { writeSetting } from './write-settings.ts'

test('a setting is written, found again and removed; the file is 0600', async () => {
  using temp = makeTempProject()
  const { settingsFile } = temp.home.paths
  await writeSetting(temp.home, 'compaction.enabled', false)
  await writeSetting(temp.home, 'models["openai/gpt-5.1"].contextWindow', 1000)
  expect(readUserSettings(settingsFile)).toEqual({
    values: { compaction: { enabled: false }, models: { 'openai/gpt-5.1': { contextWindow: 1000 } } },
    problems: [],
  })
  expect(statSync(settingsFile).mode & 0o777).toBe(0o600)
  await writeSetting(temp.home, 'compaction.enabled', undefined)
  await writeSetting(temp.home, 'models', undefined)
  await writeSetting(temp.home, 'spend.perDay', undefined)
  expect(readUserSettings(settingsFile).values).toEqual({ compaction: {} })
})

test('all else in the file stays, unknown keys and their order included', async () => {
  const key = fc.string({ unit: 'binary' }).filter((name) => !/^\d+$/.test(name) && name !== 'autoTitle')
  const others = fc.dictionary(key, fc.jsonValue(), { maxKeys: 8, noNullPrototype: true })
  using temp = makeTempProject()
  const { settingsFile } = temp.home.paths
  await fc.assert(
    fc.asyncProperty(others, fc.boolean(), fc.boolean(), async (kept, isThere, value) => {
      const before = JSON.stringify({ ...kept, ...(isThere && { autoTitle: !value }) })
      temp.write('home/settings.json', before)
      await writeSetting(temp.home, 'autoTitle', value)
      const after = readFileSync(settingsFile, 'utf8')
      expect(JSON.stringify(JSON.parse(after))).toBe(JSON.stringify({ ...JSON.parse(before), autoTitle: value }))
      await writeSetting(temp.home, 'autoTitle', undefined)
      expect(JSON.stringify(JSON.parse(readFileSync(settingsFile, 'utf8')))).toBe(JSON.stringify(kept))
    }),
    { numRuns: 50 },
  )
})

test('what is written looks as it did, numbers too large for us included', async () => {
  using temp = makeTempProject()
  const text = '{\n\t"big": 9007199254740993,\n\t"__proto__": {\n\t\t"x": 1.0\n\t},\n\t"autoTitle": true\n}\n'
  temp.write('home/settings.json', text)
  await writeSetting(temp.home, 'autoTitle', false)
  expect(readFileSync(temp.home.paths.settingsFile, 'utf8')).toBe(text.replace('true', 'false'))
})

test.each([
  ['compaction.reserveTokens', -1, 'must be a whole number'],
  ['approvalMode', 'always', 'must be one of default, autoEdit, yolo'],
  ['aprovalMode', 'yolo', 'Did you mean approvalMode?'],
  ['apiKey', 'sk-1', 'treeline auth'],
  ['roles.__proto__', 'a/b', '__proto__'],
  ['compaction', 5, 'must be an object'],
  ['', 5, 'is not the name of a setting'],
])('%s = %j is refused, and nothing is written', async (key, value, message) => {
  using temp = makeTempProject()
  await expect(writeSetting(temp.home, key, value)).rejects.toMatchObject({
    code: 'validation_failed',
    message: expect.stringContaining(message),
  })
  expect(temp.home.storage.existsSync(temp.home.paths.settingsFile)).toBe(false)
})

test.each(['{"model": "a/b",}', 'model = 1', '[]', `{"x": "${'x'.repeat(1024 * 1024)}"}`])(
  'a file that is none of ours is not overwritten (%#)',
  async (text) => {
    using temp = makeTempProject()
    const file = temp.write('home/settings.json', text)
    await expect(writeSetting(temp.home, 'autoTitle', false)).rejects.toThrow(file)
    expect(readFileSync(file, 'utf8')).toBe(text)
  },
)

test('what else is wrong in the file is no reason to refuse', async () => {
  using temp = makeTempProject()
  temp.write('home/settings.json', { maxSteps: 'many', compaction: 5 })
  await writeSetting(temp.home, 'compaction.enabled', false)
  const text = readFileSync(temp.home.paths.settingsFile, 'utf8')
  expect(JSON.parse(text)).toEqual({ maxSteps: 'many', compaction: { enabled: false } })
})

test('settings set at the same time are all kept', async () => {
  using temp = makeTempProject()
  const names = Array.from({ length: 20 }, (_, i) => `role${String.fromCharCode(97 + i)}`)
  await Promise.all(names.map((name) => writeSetting(temp.home, `roles.${name}`, 'a/b')))
  expect(Object.keys(readUserSettings(temp.home.paths.settingsFile).values.roles!).sort()).toEqual(names)
})

test('settings set at the same time by several processes are all kept', async () => {
  using temp = makeTempProject()
  const script = `
    import { openHome } from '@treeline/store'
    import { writeSetting } from './write-settings.ts'
    using home = openHome({ home: process.argv[1] })
    for (let i = 0; i < 10; i++) await writeSetting(home, 'roles.' + process.argv[2] + i, 'a/b')
  `
  const run = (name: string) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, temp.home.paths.home, name], {
      cwd: import.meta.dirname,
    })
  await Promise.all(['a', 'b', 'c'].map(run))
  expect(Object.keys(readUserSettings(temp.home.paths.settingsFile).values.roles!)).toHaveLength(30)
})

test('a link to a file kept elsewhere stays a link', async () => {
  using temp = makeTempProject()
  const target = temp.write('dotfiles/treeline.json', { autoTitle: true })
  symlinkSync(target, temp.home.paths.settingsFile)
  await writeSetting(temp.home, 'autoTitle', false)
  expect(lstatSync(temp.home.paths.settingsFile).isSymbolicLink()).toBe(true)
  expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({ autoTitle: false })
})
