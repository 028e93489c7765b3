import { describe, expect, test } from 'vitest'
import { ask, isIdle, project, say, served } from '../testing/chat-terminal.ts'
import type { Terminal } from '../testing/terminal.ts'

describe('copying', () => {
  const ANSWER = 'Tea:\n\n```sh\nboil\t--hot\n```\n\nand **then**\n\n```\npour\n```\n'
  const copied = (terminal: Terminal) =>
    terminal.spied.clipboard.map((data) => Buffer.from(data.replace(/^c;/, ''), 'base64').toString())

  test('answers and code go to the terminal as the model wrote them, and nothing else of theirs does', async () => {
    const { open } = await served([{ text: 'The first one.' }, { text: ANSWER }])
    const terminal = await open()
    await say(terminal, '/copy')
    await terminal.waitFor('There is no answer to copy yet.')
    for (const prompt of ['One', 'Two']) {
      await say(terminal, prompt)
      await terminal.waitFor(prompt === 'One' ? 'The first one.' : 'pour')
      await terminal.waitFor(isIdle)
    }
    for (const [index, command] of ['/copy', '/copy 2', '/copy code', '/copy code 1'].entries()) {
      await say(terminal, command)
      await terminal.waitFor(() => terminal.spied.clipboard.length === index + 1)
      await terminal.waitFor(isIdle)
    }
    expect(copied(terminal)).toEqual([ANSWER, 'The first one.', 'pour', 'boil\t--hot'])
    await say(terminal, '/copy code 7')
    await terminal.waitFor('has 2 pieces of code')
    await say(terminal, '/copy everything')
    await terminal.waitFor('/copy code 2.')
    expect(terminal.spied.clipboard).toHaveLength(4)
  })
})

describe('the bell', () => {
  test('rings at the end and for a question when it is to ring always, and never otherwise', async () => {
    for (const [bell, bells] of [
      ['always', [1, 2, 3]],
      ['never', [0, 0, 0]],
      ['long', [0, 0, 0]],
    ] as const) {
      const { open } = project({ TREELINE_DEMO_DELAY_MS: '0', TREELINE_BELL: bell })
      const terminal = await open()
      await ask(terminal, 'Hello')
      expect(terminal.spied.bells, bell).toBe(bells[0])
      await say(terminal, 'run `touch made`')
      await terminal.waitFor(/n no/)
      expect(terminal.spied.bells, bell).toBe(bells[1])
      await terminal.press('y')
      await terminal.waitFor('The tool has answered')
      await terminal.waitFor(isIdle)
      expect(terminal.spied.bells, bell).toBe(bells[2])
    }
  })
})
