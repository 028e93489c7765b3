import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openFileStore } from '@treeline/store'
import { describe, expect, test } from 'vitest'
import { all, ask, inEditor, isIdle, project, readKept, SLOW, say } from '../../testing/chat-terminal.ts'

/** A session with one turn, and two terminals in it. */
async function twoTerminals(env?: Readonly<Record<string, string>>) {
  const made = project(env)
  const first = await made.open()
  await ask(first, 'Common ground')
  const { id } = await readKept(made.home)
  const second = await made.open(['-r', id])
  return { ...made, id, first, second }
}

describe('two terminals in one session', () => {
  test('each sees what the other says, and each goes on where it was: two branches', async () => {
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
  })

  test('also in one that is empty: both prompts are the first of a branch', async () => {
    const { home, open, cwd } = project()
    await using store = await openFileStore({ home })
    const session = await store.create({ cwd })
    await session.rename('Empty')
    const { id } = session
    await session.close()
    const [first, second] = [await open(['-r', id]), await open(['-r', id])]
    await ask(first, 'One beginning')
    await second.waitFor(/another terminal ❯ One beginning/)
    await ask(second, 'Another beginning')
    await first.waitFor(/another terminal ❯ Another beginning/)
    expect((await readKept(home)).branches.map(({ length }) => length)).toEqual([2, 2])
  })

  test('a name given in one is seen in the other', async () => {
    const { first, second } = await twoTerminals()
    await say(first, '/name Kettle talk')
    await second.waitFor(statusHas('Kettle talk'))
  })

  test('who comes while the other waits for an answer is told, sees it come, and goes on after it', async () => {
    const { home, id, open, first, second } = await twoTerminals(SLOW)
    await say(first, 'say 200 words')
    await second.waitFor(/another terminal ❯ say 200 words/)
    const third = await open(['-r', id])
    await third.waitFor('Another terminal is at work in this session right now')
    await say(third, 'Too early')
    await third.waitFor('Another terminal still waits for the answer above')
    await third.waitFor((screen) => inEditor(screen) === 'Too early')
    await third.waitFor(/every conversation/)
    await third.press('enter')
    await third.waitFor(/every conversation[\s\S]*❯ Too early/)
    await third.waitFor(isIdle)
    const { branches } = await readKept(home)
    expect(branches.map(({ length }) => length)).toEqual([6])
  })

  test('D1 kill -9 of one in the middle of an answer: the other goes on, and the next to come closes what was left', async () => {
    const { home, id, open, first, second } = await twoTerminals(SLOW)
    await say(first, 'say 2000 words')
    await second.waitFor(/another terminal ❯ say 2000 words/)
    const third = await open(['-r', id])
    await third.waitFor('Another terminal is at work in this session right now')
    await first.waitFor(/(every conversation[\s\S]*){3}/)
    await first.kill()
    await say(second, 'Still here?')
    await second.waitFor('You said: “Still here?”')
    await second.waitFor(isIdle)
    const fourth = await open(['-r', id])
    expect(all(fourth)).toContain('that a crash cut off')
    await third.waitFor(/Interrupted/)
    expect((await readKept(home)).text).toContain('Interrupted')
  })

  test('a session that is deleted underneath is told of once', async () => {
    const { home, second } = await twoTerminals()
    const folder = join(home, 'sessions')
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.jsonl')) rmSync(join(folder, file))
    await second.waitFor('This session is not there any more')
    expect(all(second).split('not there any more')).toHaveLength(2)
  })
})

const statusHas = (text: string) => (screen: readonly string[]) =>
  screen
    .filter((row) => row !== '')
    .at(-1)
    ?.includes(text) === true
