import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { createContext } from '../context.ts'
import { openSavedList } from '../listing/saved-list.ts'
import { createOutput } from '../output/output.ts'
import { UserHome } from '../testing/user-home.ts'

const LONG_AGO = new Date(2020, 1, 1)
const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 10, minute)).toISOString()
const FORMS = { json: ['ls', '--all', '--json'], table: ['ls', '--all'] } as const
type Form = keyof typeof FORMS
const NAMES = Object.keys(FORMS) as readonly Form[]

afterEach(() => void vi.useRealTimers())

interface World {
  readonly user: UserHome
  readonly paths: readonly string[]
  readonly page: string
  readonly index: string
}

/** Some sessions of Pi, in folders that have not changed for long. */
function makeWorld(count = 3): World {
  const user = new UserHome()
  const paths = Array.from({ length: count }, (_, i) =>
    user.plantPi(`pi-session-${String(i).padStart(8, '0')}`, user.project, [
      { role: 'user', text: `prompt ${i}`, at: at(i) },
    ]),
  )
  const folder = join(user.folder, '.pi')
  for (const name of readdirSync(folder, { recursive: true }).map(String)) age(join(folder, name))
  const index = join(user.folder, 'treeline', 'index')
  return { user, paths, page: join(index, 'page.saved'), index: join(index, 'index.db') }
}

function age(path: string): void {
  utimesSync(path, LONG_AGO, LONG_AGO)
}

/** What the index says, without the page. */
async function printFresh({ user, page }: World, words: readonly string[]): Promise<string> {
  rmSync(page, { force: true })
  return (await user.call(words)).stdout
}

const CHANGES: Readonly<Record<string, (world: World) => void | Promise<void>>> = {
  'a session is new': ({ user }) => void user.plantPi('new', user.project, [{ role: 'user', text: 'new', at: at(9) }]),
  'a folder is new': ({ user }) => void user.write('.pi/agent/sessions/--q--/x.jsonl', readFile(user)),
  'a tool is new': ({ user }) =>
    void user.plantPi('theirs', '/x', [{ role: 'user', text: 'theirs', at: at(9) }], 'xcsh'),
  'one is gone on with': ({ paths }) => appendFileSync(paths[0]!, nextLine('more')),
  'one is gone on with and its time stays': ({ paths }) => {
    const { atime, mtime } = statSync(paths[0]!)
    appendFileSync(paths[0]!, nextLine('more'))
    utimesSync(paths[0]!, atime, mtime)
  },
  'one is changed in place': ({ paths }) =>
    writeFileSync(paths[0]!, readFileSync(paths[0]!, 'utf8').replace('prompt 0', 'PROMPT 0')),
  'one is replaced by a file of its size and time': ({ paths }) => {
    const { atime, mtime } = statSync(paths[0]!)
    writeFileSync(`${paths[0]}.tmp`, readFileSync(paths[0]!, 'utf8').replace('prompt 0', 'PROMPT 0'))
    utimesSync(`${paths[0]}.tmp`, atime, mtime)
    renameSync(`${paths[0]}.tmp`, paths[0]!)
    age(dirname(paths[0]!))
  },
  'a file is renamed': ({ paths }) => renameSync(paths[0]!, join(dirname(paths[0]!), 'other.jsonl')),
  'a file is gone': ({ paths }) => rmSync(paths[1]!),
  'all are gone': ({ paths }) => rmSync(dirname(paths[0]!), { recursive: true }),
  'the index is gone': ({ index }) => rmSync(index),
  'the index is another file': ({ index }) => {
    copyFileSync(index, `${index}.copy`)
    renameSync(`${index}.copy`, index)
  },
  'the index is an old copy of itself': async ({ user, index, paths }) => {
    copyFileSync(index, `${index}.copy`)
    appendFileSync(paths[0]!, nextLine('more'))
    await user.call(['search', 'prompt'])
    copyFileSync(`${index}.copy`, index)
  },
  'somebody else brought the index up to date': async ({ user, paths }) => {
    appendFileSync(paths[0]!, nextLine('more'))
    await user.call(['search', 'prompt'])
  },
  'the clock was set back': () => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 }),
  'a minute has passed': () => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 }),
  nothing: () => {},
}

function readFile({ folder }: UserHome): string {
  return readFileSync(join(folder, '.pi/agent/sessions/--p--/pi-session-00000000.jsonl'), 'utf8').replaceAll(
    'pi-session-00000000',
    'another',
  )
}

function nextLine(text: string): string {
  const message = { role: 'user', content: [{ type: 'text', text }] }
  return `${JSON.stringify({ type: 'message', id: 'next', parentId: 'pi-session-00000000-0', timestamp: at(8), message })}\n`
}

for (const [name, change] of Object.entries(CHANGES)) {
  test.each(NAMES)(`when ${name}, a saved page is as right as the index: %s`, async (form) => {
    const words = FORMS[form]
    const world = makeWorld()
    await world.user.call(words)
    expect(existsSync(world.page)).toBe(true)
    await change(world)
    const shown = (await world.user.call(words)).stdout
    expect(shown).toBe(await printFresh(world, words))
  })
}

test.each(NAMES)('an old session that we rename stands under its new name at once: %s', async (form) => {
  const { user } = makeWorld(70)
  const name = 'treeline/sessions/--p--/2020-01-01T00-00-00-000Z_aaaaaaaa.jsonl'
  const head = {
    type: 'session',
    version: 3,
    id: 'aaaaaaaa',
    timestamp: '2020-01-01T00:00:00.000Z',
    cwd: user.project,
  }
  const message = { role: 'user', content: 'long ago' }
  const said = { type: 'message', id: 'a1', parentId: null, timestamp: '2020-01-01T00:00:01.000Z', message }
  const path = user.write(name, `${JSON.stringify(head)}\n${JSON.stringify(said)}\n`)
  for (const dir of [dirname(path), dirname(dirname(path))]) age(dir)
  const words = [...FORMS[form], '-n', '100']
  expect((await user.run(words)).stdout).not.toContain('a new name')
  await user.run(['rename', 'aaaaaaaa', 'a new name'])
  expect((await user.run(words)).stdout).toContain('a new name')
})

test.each(NAMES)('a page is shown again without opening the index: %s', async (form) => {
  const words = FORMS[form]
  const world = makeWorld()
  const first = await world.user.call(words)
  expect(statSync(world.page).mode & 0o777).toBe(0o600)
  // What is in it no longer matters, as long as it is the same file.
  writeFileSync(world.index, 'no database')
  expect((await world.user.call(words)).stdout).toBe(first.stdout)
  expect(readFileSync(world.index, 'utf8')).toBe('no database')
})

test('another question is not answered with it', async () => {
  const world = makeWorld()
  world.user.plantPi('elsewhere', '/elsewhere', [{ role: 'user', text: 'prompt 9', at: at(9) }])
  age(dirname(world.paths[0]!))
  const questions = [
    [],
    ['--all'],
    ['--cwd', '/elsewhere'],
    ['--all', '-n', '1'],
    ['--all', 'prompt 1'],
    ['--since', '1d'],
  ]
  const asked = questions.flatMap((more) => [
    ['ls', ...more],
    ['ls', '--json', ...more],
    ['ls', '--tool', 'xcsh', ...more],
  ])
  for (const words of asked) {
    const shown = (await world.user.call(words)).stdout
    expect(shown).toBe(await printFresh(world, words))
  }
  const wide = { COLUMNS: '120' }
  await world.user.run(['ls', '--all'])
  const shown = await world.user.run(['ls', '--all'], wide)
  rmSync(world.page)
  expect(shown.stdout).toBe((await world.user.run(['ls', '--all'], wide)).stdout)
})

test('a folder that changed a moment ago may change again in the same tick: nothing is kept', async () => {
  const world = makeWorld()
  const path = world.user.plantPi('just-now', world.user.project, [{ role: 'user', text: 'just now', at: at(9) }])
  // By the time the folder is looked at, on a machine however busy.
  const soon = new Date(Date.now() + 60_000)
  utimesSync(dirname(path), soon, soon)
  await world.user.call(['ls', '--all', '--json'])
  expect(existsSync(world.page)).toBe(false)
})

test('a page of a moment at which a tool was away is not shown when it is back', async () => {
  const { user } = makeWorld()
  user.plantPi('theirs', '/x', [{ role: 'user', text: 'theirs', at: at(9) }], 'xcsh')
  const folder = join(user.folder, '.xcsh')
  for (const name of readdirSync(folder, { recursive: true }).map(String)) age(join(folder, name))
  const screen = { write: () => {} }
  const env = { HOME: user.folder }
  await using context = createContext({
    out: createOutput({ stdout: screen, stderr: screen, isJson: true, env }),
    ...{ homeDir: join(user.folder, 'treeline'), env, cwd: user.project, signal: new AbortController().signal },
    ...{ stdin: () => process.stdin, stderr: screen },
  })
  const saved = openSavedList(context, {}, 10_000)
  expect(saved.find()).toBeUndefined()
  renameSync(folder, `${folder}-away`)
  const index = await context.index()
  await index.refresh()
  await saved.keep(index, async () => Buffer.from('without it'))
  renameSync(`${folder}-away`, folder)
  expect(openSavedList(context, {}, 10_000).find()?.toString()).toBeUndefined()
})

test('what could not be read is told each time', async () => {
  const world = makeWorld()
  symlinkSync('/nonexistent', join(dirname(world.paths[0]!), 'away'))
  world.user.write('.pi/agent/sessions/--p--/\ufffd.jsonl', 'no session')
  age(dirname(world.paths[0]!))
  const words = ['ls', '--all', '--json']
  expect((await world.user.call(words)).stdout).toBe((await world.user.call(words)).stdout)
})

/** A page whose halves agree. */
function forge({ page }: World, change: (half: string) => string): void {
  const bytes = readFileSync(page)
  const half = Buffer.from(change(bytes.toString('utf8', 0, bytes.length / 2)))
  writeFileSync(page, Buffer.concat([half, half]))
}

const DAMAGE: Readonly<Record<string, (world: World) => void>> = {
  empty: ({ page }) => writeFileSync(page, ''),
  zeros: ({ page }) => writeFileSync(page, Buffer.alloc(4096)),
  cut: ({ page }) => writeFileSync(page, readFileSync(page).subarray(0, 500)),
  'cut in the middle': ({ page }) => writeFileSync(page, readFileSync(page).subarray(0, statSync(page).size / 2)),
  'no page at all': (world) => forge(world, () => '{}\n{}'),
  'one that says null': (world) => forge(world, () => 'null\nnull'),
  'one whose paths are none': (world) =>
    forge(world, (half) => half.replace(/"folders":.*/, '"folders":[[7,7]]}}\n{}')),
  'one whose list is none': (world) => forge(world, (half) => half.replace(/\n[\s\S]*$/, '\n{"sessions":[7]}')),
  'a link': ({ page }) => {
    renameSync(page, `${page}.away`)
    symlinkSync(`${page}.away`, page)
  },
  'a folder': ({ page }) => {
    rmSync(page)
    mkdirSync(page)
  },
}

test.each(Object.keys(DAMAGE))('a page that is no page is as good as none: %s', async (name) => {
  for (const words of Object.values(FORMS)) {
    const world = makeWorld()
    const { stdout } = await world.user.call(words)
    DAMAGE[name]!(world)
    expect(await world.user.call(words)).toMatchObject({ code: 0, stdout, stderr: '' })
  }
})

test('I2 of a page not one byte can change unnoticed', async () => {
  const world = makeWorld()
  const words = FORMS.json
  const { stdout } = await world.user.call(words)
  const whole = readFileSync(world.page)
  for (let at = 0; at < whole.length; at += 37) {
    const flipped = Buffer.from(whole)
    flipped[at] = flipped[at]! ^ 1
    writeFileSync(world.page, flipped)
    expect((await world.user.call(words)).stdout).toBe(stdout)
  }
})

test.each(['\u001b[31m', '\u009b31m', '\u202e', '\u2028', '\n', '\u007f'])(
  'K4 a page drives no terminal: %j',
  async (evil) => {
    for (const words of Object.values(FORMS)) {
      const world = makeWorld()
      const { stdout } = await world.user.call(words)
      forge(world, (half) =>
        half.replace('"prompt 1"', `"prompt${words.length === 3 ? evil : JSON.stringify(evil).slice(1, -1)}1"`),
      )
      const shown = (await world.user.call(words)).stdout
      if (words.length === 3) expect(shown).toBe(stdout)
      else expect(shown.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Bidi_Control}|\u2028/u)
    }
  },
)

test('C1 several processes list while a session is gone on with: each shows a whole page, the last all of it', async () => {
  const world = makeWorld()
  const words = ['ls', '--all', '--json']
  const lists = Array.from({ length: 6 }, async (_, i) => {
    if (i % 2 === 1) appendFileSync(world.paths[0]!, nextLine(`more ${i}`).replace('"next"', `"next${i}"`))
    return (await world.user.run(words)).json().sessions.length
  })
  expect(await Promise.all(lists)).toEqual([3, 3, 3, 3, 3, 3])
  const shown = (await world.user.run(words)).stdout
  expect(shown).toBe(await printFresh(world, words))
  expect(
    JSON.parse(shown).sessions.find(({ firstPrompt }: { firstPrompt: string }) => firstPrompt === 'prompt 0'),
  ).toMatchObject({ entries: 4 })
})
