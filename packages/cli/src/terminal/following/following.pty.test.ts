import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { openFileStore } from '@treeline/store'
import { describe, expect, test } from 'vitest'
import { all, ask, inEditor, isIdle, project, readKept, SLOW, say } from '../../testing/chat-terminal.ts'
import { said } from '../../testing/sample-home.ts'

const SLOWLY = { env: SLOW }

/** A session with one turn, and a chat that is opened in it. */
async function common() {
  const { cwd, home, open } = project()
  await using store = await openFileStore({ home })
  const entries = [
    said('ask00001', null, 'user', 'Common ground'),
    said('rep00001', 'ask00001', 'assistant', 'Agreed.'),
  ]
  await using session = await store.create({ cwd, entries })
  const { id, path } = session
  return { home, path, join: (options = {}) => open(['-r', id], options) }
}

/** Two terminals in one session. The answers of the first may come slowly. */
async function twoTerminals(options = {}) {
  const made = await common()
  const [first, second] = await Promise.all([made.join(options), made.join()])
  return { ...made, first, second }
}

describe('two terminals in one session', () => {
  test('each sees what the other says and names, and each goes on where it was: two branches', async () => {
    const { home, first, second } = await twoTerminals()
    await ask(first, 'Left turn')
    await second.waitFor(/├─ another terminal ❯ Left turn/)
    await second.waitFor(/another terminal ❯ Left turn[\s\S]*│ .*demo, not a real model/)
    await second.waitFor('It is a branch of its own: /tree goes there.')
    await ask(second, 'Right turn')
    await first.waitFor(/├─ another terminal ❯ Right turn/)
    await first.waitFor(/another terminal ❯ Right turn[\s\S]*│ .*demo, not a real model/)
    await ask(first, 'Left again')
    await second.waitFor(/├─ another terminal ❯ Left again/)
    expect(all(first)).not.toContain('another terminal ❯ Left')
    expect(all(second)).not.toContain('another terminal ❯ Right')
    expect(all(second).split('It is a branch of its own')).toHaveLength(2)
    const { branches } = await readKept(home)
    expect(branches.map(({ length }) => length).sort()).toEqual([4, 6])
    await say(first, '/name Kettle talk')
    await second.waitFor(statusHas('Kettle talk'))
  })

  test('also in one that is empty: both prompts are the first of a branch', async () => {
    const { home, open, cwd } = project()
    await using store = await openFileStore({ home })
    const session = await store.create({ cwd })
    await session.rename('Empty')
    const { id } = session
    await session.close()
    const [first, second] = await Promise.all([open(['-r', id]), open(['-r', id])])
    await ask(first, 'One beginning')
    await second.waitFor(/another terminal ❯ One beginning/)
    await ask(second, 'Another beginning')
    await first.waitFor(/another terminal ❯ Another beginning/)
    expect((await readKept(home)).branches.map(({ length }) => length)).toEqual([2, 2])
  })

  test('who comes while the other waits for an answer is told, sees it come, and goes on after it', async () => {
    const { home, join, first, second } = await twoTerminals(SLOWLY)
    await say(first, 'say 150 words')
    await second.waitFor(/another terminal ❯ say 150 words/)
    const third = await join()
    await third.waitFor('Another terminal is at work in this session right now')
    await say(third, 'Too early')
    await third.waitFor('Another terminal still waits for the answer above')
    await third.waitFor((screen) => inEditor(screen) === 'Too early')
    await third.waitFor(/every conversation/)
    await third.press('enter')
    // On a busy machine the answer to it comes with it, and what was before it has left the screen.
    await third.waitFor(() => /every conversation[\s\S]*❯ Too early/.test(all(third)))
    await third.waitFor(isIdle)
    const { branches } = await readKept(home)
    expect(branches.map(({ length }) => length)).toEqual([6])
  })

  test('D1 kill -9 of one in the middle of an answer: the other goes on, and the next to come closes what was left', async () => {
    const { home, join, first, second } = await twoTerminals(SLOWLY)
    await say(first, 'say 2000 words')
    await second.waitFor(/another terminal ❯ say 2000 words/)
    const third = await join()
    await third.waitFor('Another terminal is at work in this session right now')
    await first.waitFor(/every conversation/)
    await first.kill()
    await ask(second, 'Still here?')
    const fourth = await join()
    expect(all(fourth)).toContain('that a crash cut off')
    await third.waitFor(/Interrupted/)
    expect((await readKept(home)).text).toContain('Interrupted')
  })
})

test('a session that is rewritten underneath is shown as it is now; deleted, it is told of once and /new goes on', async () => {
  const { path, join } = await common()
  const terminal = await join()
  writeFileSync(`${path}.new`, readFileSync(path, 'utf8').replace('Common ground', 'Other ground'))
  renameSync(`${path}.new`, path)
  await terminal.waitFor('Something else rewrote this session. This is how it is now.')
  await terminal.waitFor(/❯ Other ground\s+Agreed\./)
  expect(terminal.screen().join('\n')).not.toContain('Common ground')
  await ask(terminal, 'Still talking')
  rmSync(path)
  await terminal.waitFor('This session is not there any more')
  await say(terminal, '/new')
  await terminal.waitFor('A new session.')
  await ask(terminal, 'Afresh')
  expect(terminal.output.split('not there any more')).toHaveLength(2)
})

const statusHas = (text: string) => (screen: readonly string[]) =>
  screen
    .filter((row) => row !== '')
    .at(-1)
    ?.includes(text) === true
