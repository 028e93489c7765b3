import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ask, isIdle } from './testing/chat-terminal.ts'
import { openProgram } from './testing/terminal.ts'

const START = join(import.meta.dirname, '../../../scripts/start.ts')

test('npm start is the chat: the demo answers, a lesson says what to do, and the last line how to go on', async () => {
  const terminal = openProgram(process.execPath, [START], { env: { TREELINE_DEMO_DELAY_MS: '0' } })
  await terminal.waitFor(isIdle, 25_000)
  await terminal.waitFor('Type something and press Enter')
  await terminal.waitFor('npm start -- auth set anthropic')
  await ask(terminal, 'Hello there')
  await terminal.press('ctrl+d')
  expect(await terminal.exit()).toBe(0)
  expect(terminal.screen().join('\n')).toMatch(/Go on: npm start -- -r [0-9a-f]{8}/)
})
