import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ask, isIdle, project, say, served } from '../testing/chat-terminal.ts'
import { tempFolder } from '../testing/run-treeline.ts'
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

  test('where the system has a tool for it, that gets the text and the terminal is told nothing', async () => {
    const folder = tempFolder()
    const tool = join(folder, 'wl-copy')
    writeFileSync(tool, '#!/bin/sh\ncat > "$0.got"\n')
    chmodSync(tool, 0o755)
    const { open } = await served([{ text: ANSWER }])
    const terminal = await open({ env: { PATH: `${folder}:${process.env.PATH}`, WAYLAND_DISPLAY: 'wayland-0' } })
    await say(terminal, 'One')
    await terminal.waitFor('pour')
    await terminal.waitFor(isIdle)
    await say(terminal, '/copy')
    await terminal.waitFor(/Copied: 11 lines, \d+ characters\./)
    expect(readFileSync(`${tool}.got`, 'utf8')).toBe(ANSWER)
    expect(terminal.spied.clipboard).toEqual([])
  })
})

describe('the bell', () => {
  test('rings at the end and for a question when it is to ring always, and never otherwise', async () => {
    const rings = async (bell: string, bells: readonly number[]) => {
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
    await Promise.all([rings('always', [1, 2, 3]), rings('never', [0, 0, 0]), rings('long', [0, 0, 0])])
  })

  test('rings by itself after an answer that took more than five seconds', async () => {
    const terminal = await project({ TREELINE_DEMO_DELAY_MS: '50' }).open()
    await say(terminal, 'say 120 words')
    await terminal.waitFor(/ 4 s, about \d+ tokens/)
    expect(terminal.spied.bells).toBe(0)
    await terminal.waitFor(isIdle, 20_000)
    await terminal.waitFor(() => terminal.spied.bells === 1)
  })
})
