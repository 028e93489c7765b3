import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { openFileStore } from '@treeline/store'
import { describe, expect, test } from 'vitest'
import { callTreeline } from '../../testing/call-treeline.ts'
import { UserHome } from '../../testing/user-home.ts'
import { chosen, isPicker, listed, openPicker, places } from './testing/open-picker.ts'
import { minutesAgo, plantSessions } from './testing/plant-sessions.ts'

/** Three here, of which one is a fork, and one of another project. */
async function planted() {
  const at = places()
  const paths = await plantSessions(at.home, [
    { id: 'aaaaroot', cwd: at.here, prompt: 'Where does the parser stop?', name: 'Parser', age: 50, begunAge: 55 },
    { id: 'aaaalone', cwd: at.here, prompt: 'Boil the kettle', age: 5, begunAge: 90 },
    { id: 'aaaafork', cwd: at.here, prompt: 'The parser again', age: 20, parentSession: 'aaaaroot' },
    { id: 'aaaaaway', cwd: at.there, prompt: 'Paint the fence', age: 1 },
  ])
  return { ...at, paths }
}

describe('looking', () => {
  test('-r lists this folder, forks under their session; Tab shows all; Esc leaves and nothing was made', async () => {
    const at = await planted()
    const terminal = await openPicker(at)
    expect(listed(terminal.screen())).toEqual(['Boil the kettle', 'Parser', '└─ The parser again'])
    await terminal.press('tab')
    const all = await terminal.waitFor('Paint the fence')
    expect(listed(all)[0]).toBe('Paint the fence')
    expect(all[1]).toMatch(/there$/)
    await terminal.press('ctrl+t')
    await terminal.waitFor((screen) => listed(screen).includes('The parser again'))
    await terminal.press('esc')
    expect(await terminal.exit()).toBe(0)
    await using store = await openFileStore({ home: at.home })
    expect(await store.list()).toHaveLength(4)
  })

  test('Ctrl+S sorts: newest, by name, largest, last active', async () => {
    const at = await planted()
    const terminal = await openPicker(at)
    await terminal.press('ctrl+t')
    for (const [title, first] of [
      ['newest first', 'The parser again'],
      ['by name', 'Boil the kettle'],
      ['largest first', ''],
      ['last active first', 'Boil the kettle'],
    ] as const) {
      await terminal.press('ctrl+s')
      const screen = await terminal.waitFor((seen) => (seen[0] ?? '').includes(title) && isPicker(seen))
      if (first !== '') expect(listed(screen)[0]).toBe(first)
    }
  })

  test('typing searches names fuzzily and all that was said, with snippets; Esc clears, then leaves', async () => {
    const at = await planted()
    const terminal = await openPicker(at)
    await terminal.type('prsr')
    await terminal.waitFor((screen) => isPicker(screen) && listed(screen).join() === 'The parser again,Parser')
    await terminal.press('ctrl+u')
    await terminal.type('about aaaalone')
    await terminal.waitFor((screen) => isPicker(screen) && /An answer about aaaalone\./.test(screen[1] ?? ''))
    await terminal.press('ctrl+f')
    await terminal.waitFor('Nothing here says that. Tab searches all projects')
    await terminal.press('esc')
    await terminal.waitFor((screen) => isPicker(screen) && listed(screen).length === 3)
    await terminal.press('esc')
    expect(await terminal.exit()).toBe(0)
  })

  test('the preview shows what it is, the first prompt and the last messages; Ctrl+P hides it', async () => {
    const at = await planted()
    const terminal = await openPicker(at)
    await terminal.press('down')
    const screen = await terminal.waitFor('model: An answer about aaaaroot.')
    const text = screen.join('\n')
    expect(text).toMatch(/^Parser · aaaaroot$/m)
    expect(text).toMatch(/here · 50 min ago · begun 55 min ago · 2 entries · \d+ B$/m)
    expect(text).toContain('first: Where does the parser stop?')
    await terminal.press('ctrl+p')
    await terminal.waitFor((seen) => !seen.join('\n').includes('An answer about'))
    await terminal.press('ctrl+p')
    await terminal.waitFor('model: An answer about aaaaroot.')
  })

  test('damage is a line of the preview and a mark in the list, and hides nothing', async () => {
    const at = await planted()
    const path = at.paths.aaaalone!
    const [header, ...lines] = readFileSync(path, 'utf8').split('\n')
    writeFileSync(path, [header, 'no line at all', ...lines].join('\n'))
    const terminal = await openPicker(at)
    await terminal.waitFor('[damaged] Boil the kettle')
    await terminal.waitFor(/Damaged in 1 places.*treeline doctor/)
    await terminal.waitFor('model: An answer about aaaalone.')
  })

  test('a folder without sessions tells what to do, and without any session where they come from', async () => {
    const at = places()
    await plantSessions(at.home, [{ id: 'aaaaaway', cwd: at.there, prompt: 'Paint the fence' }])
    const terminal = await openPicker(at)
    await terminal.waitFor('No session in this folder yet. Tab shows all projects.')
    await terminal.press('tab')
    await terminal.waitFor('Paint the fence')
    const empty = await openPicker(places())
    await empty.press('enter', 'ctrl+n', 'ctrl+d', 'down', 'tab')
    await empty.waitFor('No session yet.')
    await empty.press('ctrl+c')
    expect(await empty.exit()).toBe(0)
  })

  test('K4 40 columns, ASCII and hostile names: everything fits and nothing drives the terminal', async () => {
    const at = places()
    const hostile = 'a\u001b]52;c;aGk=\u0007b\u001b[2J\u202ec 东京塔 👍'
    await plantSessions(at.home, [
      { id: 'aaaaroot', cwd: at.here, prompt: `${hostile} first`, name: `${hostile} name`, age: 5 },
      { id: 'aaaafork', cwd: at.here, prompt: 'A fork', parentSession: 'aaaaroot' },
    ])
    const terminal = await openPicker(at, { columns: 40, rows: 30, env: { LC_ALL: 'C', LANG: 'C' } })
    await terminal.waitFor('`- A fork')
    await terminal.type('first')
    await terminal.waitFor((screen) => isPicker(screen) && screen.some((row) => row.includes('first')))
    await terminal.press('ctrl+f')
    await terminal.waitFor((screen) => (screen[0] ?? '').includes('in names'))
    await terminal.press('ctrl+f')
    await terminal.waitFor((screen) => isPicker(screen) && (screen[0] ?? '').includes('in what'))
    for (const row of terminal.screen()) expect(row.length).toBeLessThanOrEqual(40)
    expect(terminal.spied).toMatchObject({ clipboard: [], links: [], bells: 0 })
    const ours = terminal
      .screen()
      .join('\n')
      .replace(/[\u4e00-\u9fff\u{1f44d}]/gu, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for.
    expect(ours).not.toMatch(/[^\u0000-\u007f]/)
  })
})

describe('changing', () => {
  test('Ctrl+N renames in place, beginning with the name it has; Esc leaves it', async () => {
    const at = await planted()
    const terminal = await openPicker(at)
    await terminal.press('down', 'ctrl+n')
    await terminal.waitFor(/^❯ Parser$/m)
    await terminal.type(' rewrite')
    await terminal.press('enter')
    await terminal.waitFor((screen) => chosen(screen) === 'Parser rewrite')
    await terminal.press('ctrl+n')
    await terminal.waitFor(/^❯ Parser rewrite$/m)
    await terminal.type(' again')
    await terminal.press('esc')
    await terminal.waitFor((screen) => isPicker(screen) && chosen(screen) === 'Parser rewrite')
    await using store = await openFileStore({ home: at.home })
    await using session = await store.open('aaaaroot')
    expect(session.name).toBe('Parser rewrite')
  })

  test('Ctrl+D and Delete ask; y moves to the trash and says how it comes back', async () => {
    const at = await planted()
    const terminal = await openPicker(at)
    await terminal.press('ctrl+d')
    await terminal.waitFor('Move this session to the trash?')
    await terminal.press('n')
    await terminal.waitFor((screen) => chosen(screen) === 'Boil the kettle')
    await terminal.press('delete')
    await terminal.waitFor('Move this session to the trash?')
    await terminal.press('y')
    const told = await terminal.waitFor(/In the trash\. Bring it back: treeline restore \S+/)
    const [, trashId = ''] = /treeline restore (\S+)/.exec(told.join('\n')) ?? []
    expect(listed(told)).toEqual(['Parser', '└─ The parser again'])
    const path = at.paths.aaaalone!
    expect(existsSync(path)).toBe(false)
    expect((await callTreeline(['restore', trashId], { home: at.home })).code).toBe(0)
    expect(existsSync(path)).toBe(true)
  })

  test('one that is open in another terminal stays', async () => {
    const at = await planted()
    await using store = await openFileStore({ home: at.home })
    await using _open = await store.open('aaaalone')
    const terminal = await openPicker(at)
    await terminal.press('ctrl+d')
    await terminal.waitFor('Move this session to the trash?')
    await terminal.press('y')
    await terminal.waitFor('It stays: it is open')
    expect(existsSync(at.paths.aaaalone!)).toBe(true)
  })

  test("other tools' sessions are marked, and neither renamed nor moved", async () => {
    const user = new UserHome()
    user.plantPi('pi-one', user.project, [{ role: 'user', text: 'Said to Pi', at: minutesAgo(3) }])
    const before = user.fingerprint()
    const at = { ...places(), here: user.project, user: user.folder }
    const terminal = await openPicker(at)
    await terminal.waitFor('[pi] Said to Pi')
    for (const key of ['ctrl+n', 'ctrl+d', 'delete'] as const) {
      await terminal.press(key)
      await terminal.waitFor('pi keeps this session; Treeline leaves it as it is.')
      await terminal.press('up')
      await terminal.waitFor((screen) => !screen.join('\n').includes('leaves it as it is'))
    }
    expect(user.fingerprint()).toEqual(before)
  })
})

test('-r without a value is refused where nobody can choose, with what to do', async () => {
  for (const words of [['-r'], ['-p', '-r'], ['-r', '--no-session'], ['chat', '--resume']]) {
    const { code, stderr } = await callTreeline(words)
    expect(code).toBe(2)
    expect(stderr).toContain('Name one: `treeline -r SESSION`')
  }
})
