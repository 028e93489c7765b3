import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtProgram } from './testing/built-program.ts'
import { tempFolder } from './testing/run-treeline.ts'

/** The code of the files of the program that a call loads. */
async function loadedBy(words: readonly string[]): Promise<readonly string[]> {
  const folder = tempFolder()
  const [hook, log] = [join(folder, 'hook.mjs'), join(folder, 'loaded')]
  writeFileSync(log, '')
  writeFileSync(
    hook,
    `import { registerHooks } from 'node:module'
import { appendFileSync } from 'node:fs'
registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(log)}, url + '\\n'); return next(url, context) } })`,
  )
  const env = { PATH: process.env.PATH, HOME: folder, TREELINE_HOME: join(folder, 'home'), TREELINE_DEMO_DELAY_MS: '0' }
  const args = ['--import', hook, await builtProgram(), ...words]
  execFileSync(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const urls = readFileSync(log, 'utf8').trim().split('\n')
  return urls.filter((url) => url.startsWith('file:')).map((url) => readFileSync(new URL(url), 'utf8'))
}

/** Words that only the code of the chat's screen has. */
const SCREEN = /Minified React error|YGNodeStyleSet|react\.element/

test('what draws the chat is loaded by nothing else: not by a question, not by a list', async () => {
  expect(readFileSync(await builtProgram(), 'utf8')).not.toMatch(SCREEN)
  for (const words of [['-p', 'Hello there'], ['-p', '-c', 'And again'], ['ls'], ['models']]) {
    const loaded = await loadedBy(words)
    expect(loaded.length, words.join(' ')).toBeGreaterThan(2)
    for (const code of loaded) expect(SCREEN.test(code), `${words.join(' ')} ${code.slice(0, 200)}`).toBe(false)
  }
})

/** Words that only the code of the server has. */
const SERVER = /FST_ERR_|Sec-WebSocket-Accept/

test('what serves is loaded by nothing else', async () => {
  expect((await loadedBy(['serve', '--check', '--port', '0'])).some((code) => SERVER.test(code))).toBe(true)
  for (const words of [['ls'], ['-p', 'Hello there'], ['token'], ['serve', '--help']]) {
    const loaded = await loadedBy(words)
    for (const code of loaded) expect(SERVER.test(code), `${words.join(' ')} ${code.slice(0, 200)}`).toBe(false)
  }
})

test('K5 what Node makes of the code is kept in the home, for its owner alone', async () => {
  const folder = tempFolder()
  const home = join(folder, 'home')
  mkdirSync(home)
  const env = { PATH: process.env.PATH, HOME: folder, TREELINE_HOME: home }
  execFileSync(process.execPath, [await builtProgram(), 'ls'], { cwd: folder, env, stdio: 'ignore' })
  const code = join(home, 'index', 'code')
  const kept = readdirSync(code, { recursive: true }).map((name) => join(code, String(name)))
  expect(kept.length).toBeGreaterThan(2)
  for (const path of [code, ...kept]) expect(statSync(path).mode & 0o077, path).toBe(0)
})
