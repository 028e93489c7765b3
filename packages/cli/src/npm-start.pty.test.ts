import { join } from 'node:path'
import { askRaw, BY_HAND } from '@treeline/server/testing'
import { expect, test } from 'vitest'
import { ask, isIdle } from './testing/chat-terminal.ts'
import { openProgram } from './testing/terminal.ts'

const START = join(import.meta.dirname, '../../../scripts/start.ts')
const LINK = /http:\/\/127\.0\.0\.1:\d+\/login\?code=[\w-]{43}/g

test('npm start serves: it prints a link, Enter prints another, each lets one in, and Ctrl+C ends it', async () => {
  const terminal = openProgram(process.execPath, [START])
  await terminal.waitFor('Enter prints another link, Ctrl+C stops.', 25_000)
  expect(terminal.screen().join('\n')).toMatch(
    /sample conversation[\s\S]*the built-in demo answers[\s\S]*npm start -- auth/,
  )
  // Nothing is broken over two lines at 80 columns.
  const [first] = terminal.screen().join('\n').match(LINK) ?? []
  expect((await askRaw(first!, { headers: BY_HAND })).status).toBe(303)
  expect((await askRaw(first!, { headers: BY_HAND })).status).toBe(401)
  await terminal.press('enter')
  const hasTwo = (screen: readonly string[]) => (screen.join('\n').match(LINK) ?? []).length === 2
  const [, second] = (await terminal.waitFor(hasTwo)).join('\n').match(LINK) ?? []
  expect((await askRaw(second!, { headers: BY_HAND })).status).toBe(303)
  await terminal.press('ctrl+c')
  expect(await terminal.exit()).toBe(0)
})

test('npm start -- chat is the chat: the demo answers, and the last line says how to go on', async () => {
  const terminal = openProgram(process.execPath, [START, 'chat'], { env: { TREELINE_DEMO_DELAY_MS: '0' } })
  await terminal.waitFor(isIdle, 25_000)
  await terminal.waitFor('Type something and press Enter')
  await terminal.waitFor('npm start -- auth set anthropic')
  await ask(terminal, 'Hello there')
  await terminal.press('ctrl+d')
  expect(await terminal.exit()).toBe(0)
  expect(terminal.screen().join('\n')).toMatch(/Go on: npm start -- -r [0-9a-f]{8}/)
})
