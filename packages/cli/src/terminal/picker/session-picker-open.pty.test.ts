import { readFileSync, rmSync } from 'node:fs'
import { openFileStore } from '@treeline/store'
import { describe, expect, test } from 'vitest'
import { all, ask, inEditor, isIdle, say } from '../../testing/chat-terminal.ts'
import { said } from '../../testing/sample-home.ts'
import { openTerminal } from '../../testing/terminal.ts'
import { UserHome } from '../../testing/user-home.ts'
import { isPicker, listed, openPicker, places } from './testing/open-picker.ts'
import { minutesAgo, plantSessions } from './testing/plant-sessions.ts'

/** Two branches: the leaf is at the second. */
const BRANCHED = [
  said('ask00001', null, 'user', 'Where does the parser stop?'),
  said('rep00001', 'ask00001', 'assistant', 'At the first bad line.'),
  said('ask00002', 'rep00001', 'user', 'Make it go on.'),
  said('rep00002', 'ask00002', 'assistant', 'It goes on now.'),
  said('ask00003', 'rep00001', 'user', 'Why the first?'),
  said('rep00003', 'ask00003', 'assistant', 'Because nobody caught the error.'),
]

async function planted() {
  const at = places()
  const paths = await plantSessions(at.home, [
    { id: 'aaaatree', cwd: at.here, prompt: '', entries: BRANCHED },
    { id: 'aaaaaway', cwd: at.there, prompt: 'Paint the fence', age: 1 },
  ])
  return { ...at, paths }
}

async function search(terminal: Awaited<ReturnType<typeof openPicker>>, words: string, row: string): Promise<void> {
  await terminal.type(words)
  await terminal.waitFor((screen) => (screen[0] ?? '').includes(words))
  for (const where of ['in names', 'in what was said']) {
    await terminal.press('ctrl+f')
    await terminal.waitFor((screen) => (screen[0] ?? '').includes(where))
  }
  await terminal.waitFor((screen) => isPicker(screen) && (screen[1] ?? '').includes(row))
}

describe('at the start', () => {
  test('Enter opens the session as it was left, and it goes on', async () => {
    const at = await planted()
    const terminal = await openPicker(at)
    await terminal.press('enter')
    await terminal.waitFor(isIdle)
    expect(all(terminal)).toContain('Because nobody caught the error.')
    expect(all(terminal)).not.toContain('It goes on now.')
    await ask(terminal, 'And now?')
    await using store = await openFileStore({ home: at.home })
    await using session = await store.open('aaaatree')
    expect(session.tree.rowCount).toBeGreaterThan(BRANCHED.length)
    expect(await store.list()).toHaveLength(2)
  })

  test('M9 picking an answer that was found on another branch goes on from it', async () => {
    const at = await planted()
    const terminal = await openPicker(at)
    await search(terminal, 'goes on now', 'It goes on now.')
    await terminal.press('enter')
    await terminal.waitFor(isIdle)
    await terminal.waitFor('It goes on now.')
    await ask(terminal, 'And then?')
    await using store = await openFileStore({ home: at.home })
    await using session = await store.open('aaaatree')
    let parentId: string | null | undefined
    for await (const entry of session.entries()) {
      if (JSON.stringify(entry).includes('"And then?"')) parentId ??= entry.parentId
    }
    expect(parentId).toBe('rep00002')
  })

  test('M9 picking a prompt that was found takes it back into the editor', async () => {
    const at = await planted()
    const terminal = await openPicker(at)
    await search(terminal, 'make it', 'Make it go on.')
    await terminal.press('enter')
    await terminal.waitFor((screen) => inEditor(screen) === 'Make it go on.')
  })

  test("what was found in another tool's session opens a copy that is there, and its file stays as it is", async () => {
    const user = new UserHome()
    const at = minutesAgo(3)
    user.plantPi('pi-one', user.project, [
      { role: 'user', text: 'First to Pi', at },
      { role: 'assistant', text: 'Pi takes the left way', at, model: 'demo' },
      { role: 'assistant', text: 'Pi takes the right way', at, parent: 'pi-one-0' },
    ])
    const before = user.fingerprint()
    const terminal = await openPicker({ ...places(), here: user.project, user: user.folder })
    await search(terminal, 'left way', 'Pi takes the left way')
    await terminal.press('enter')
    await terminal.waitFor(isIdle)
    await terminal.waitFor('Pi takes the left way')
    expect(all(terminal)).not.toContain('right way')
    await ask(terminal, 'Go on')
    expect(user.fingerprint()).toEqual(before)
  })

  test('a session of another project: back chooses again, fork makes a copy for this one', async () => {
    const at = await planted()
    const before = readFileSync(at.paths.aaaaaway!, 'utf8')
    const terminal = await openPicker(at)
    await terminal.press('tab')
    await terminal.waitFor((screen) => isPicker(screen) && listed(screen)[0] === 'Paint the fence')
    await terminal.press('enter')
    await terminal.waitFor('This session belongs to another project.')
    await terminal.press('b')
    await terminal.waitFor(isPicker)
    await terminal.press('tab')
    await terminal.waitFor((screen) => isPicker(screen) && listed(screen)[0] === 'Paint the fence')
    await terminal.press('enter')
    await terminal.waitFor('This session belongs to another project.')
    await terminal.press('f')
    await terminal.waitFor(isIdle)
    await ask(terminal, 'Here, please')
    expect(readFileSync(at.paths.aaaaaway!, 'utf8')).toBe(before)
    await using store = await openFileStore({ home: at.home })
    const forks = await store.list({ cwd: at.here })
    expect(forks.map(({ parentSession }) => parentSession)).toContain('aaaaaway')
  })

  test('-r ID of another project asks the same; there it goes on in its own folder', async () => {
    const at = await planted()
    const terminal = await openPickerless(at, ['-r', 'aaaaaway'])
    await terminal.press('g')
    await terminal.waitFor(isIdle)
    await terminal.type('!pwd')
    await terminal.press('enter')
    await terminal.waitFor(/\/there$/m)
    await using store = await openFileStore({ home: at.home })
    expect(await store.list()).toHaveLength(2)
  })

  test('a project that is gone cannot be gone on with there; Esc leaves', async () => {
    const at = await planted()
    rmSync(at.there, { recursive: true })
    const terminal = await openPickerless(at, ['-r', 'aaaaaway'])
    // Where its lines are broken depends on how long the name of the folder is.
    const shown = terminal.screen().join(' ').replace(/\s+/g, ' ')
    expect(shown).toContain('not there any more')
    expect(shown).not.toContain('go on there')
    await terminal.press('esc')
    expect(await terminal.exit()).toBe(0)
  })
})

describe('in the chat', () => {
  test('/resume opens the same list; Esc closes it, Enter goes on there, what was found is landed on', async () => {
    const at = await planted()
    const terminal = await openChat(at)
    await say(terminal, '/resume')
    await terminal.waitFor(/^Sessions/m)
    await terminal.press('esc')
    await terminal.waitFor(isIdle)
    await say(terminal, '/resume')
    await terminal.waitFor('Where does the parser stop?')
    // Right behind the last letter: what is found is meant, not what stands there still.
    await terminal.type('make it')
    await terminal.press('enter')
    await terminal.waitFor((screen) => inEditor(screen) === 'Make it go on.')
    expect(all(terminal)).toContain('Here it goes on. The one before: /resume')
  })

  test('/resume of another project asks: back lists again, there is told, fork goes on here', async () => {
    const at = await planted()
    const terminal = await openChat(at)
    const pickAway = async () => {
      await terminal.waitFor(/^Sessions/m)
      await terminal.press('tab')
      await terminal.waitFor('Paint the fence')
      await terminal.press('enter')
      await terminal.waitFor('This session belongs to another project.')
    }
    await say(terminal, '/resume')
    await pickAway()
    await terminal.press('b')
    await pickAway()
    await terminal.press('g')
    await terminal.waitFor(`cd ${at.there} && treeline -r aaaaaway`)
    await terminal.waitFor(isIdle)
    await say(terminal, '/resume aaaaaway')
    await terminal.waitFor('This session belongs to another project.')
    await terminal.press('f')
    await terminal.waitFor('It belongs elsewhere, so this is a copy of it')
    await terminal.waitFor(isIdle)
    expect(all(terminal)).toContain('Paint the fence')
  })
})

async function openChat(at: ReturnType<typeof places>) {
  const terminal = await openWith(at, [])
  await terminal.waitFor(isIdle)
  await terminal.waitFor(() => terminal.output.includes('\u001b[?2004h'))
  return terminal
}

/** With a session that is named: only the question comes before the chat. */
async function openPickerless(at: ReturnType<typeof places>, words: readonly string[]) {
  const terminal = await openWith(at, words)
  await terminal.waitFor('A letter or Enter answers')
  return terminal
}

async function openWith({ here, home, user }: ReturnType<typeof places>, words: readonly string[]) {
  return openTerminal(words, { cwd: here, home, env: { TREELINE_DEMO_DELAY_MS: '0', HOME: user } })
}
