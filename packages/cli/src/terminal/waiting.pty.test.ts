import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ask, inEditor, isIdle, project, SLOW, say, served } from '../testing/chat-terminal.ts'

describe('what waits', () => {
  test('comes back above what is being typed when the model is cancelled', async () => {
    const { open } = project(SLOW)
    const terminal = await open()
    await say(terminal, 'say 2000 words')
    await terminal.waitFor('Esc cancels')
    await say(terminal, 'the next thing')
    await terminal.waitFor('waiting: the next thing')
    await terminal.type('half a thought')
    await terminal.waitFor((screen) => inEditor(screen).includes('half a thought'))
    await terminal.press('esc')
    await terminal.waitFor('Cancelled.')
    await terminal.waitFor((screen) => /^the next thing\n *half a thought$/.test(inEditor(screen)))
  })

  test('is brought back by Up the next time when the chat is left', async () => {
    const { open } = project(SLOW)
    const first = await open()
    await say(first, 'say 2000 words')
    await first.waitFor('Esc cancels')
    await say(first, 'the next thing')
    await first.waitFor('waiting: the next thing')
    await first.press('ctrl+d')
    expect(await first.exit()).toBe(0)
    const second = await open()
    await second.press('up')
    await second.waitFor((screen) => inEditor(screen) === 'the next thing')
    await second.press('up')
    await second.waitFor((screen) => inEditor(screen) === 'say 2000 words')
  })

  test('comes back, too, when what ran before it failed', async () => {
    const { open, cwd, home } = project()
    const terminal = await open()
    await ask(terminal, 'Hi')
    await say(terminal, '!until [ -e go ]; do sleep 0.05; done')
    await terminal.waitFor('Esc cancels')
    await say(terminal, 'the next thing')
    await terminal.waitFor(/waiting: the next thing/)
    rmSync(join(home, 'sessions'), { recursive: true })
    writeFileSync(join(cwd, 'go'), '')
    await terminal.waitFor((screen) => inEditor(screen) === 'the next thing')
    expect(terminal.screen().join('\n')).not.toContain('waiting')
  })
})

test('a list that stands open while the model works changes neither the branch nor the session under it', async () => {
  const { open, server } = await served([])
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const held = gates.map(({ promise }) => ({ type: 'slow', gate: () => promise }) as const)
  server.reply(({ body }) => {
    if (body.tools === undefined) return { text: 'A title' }
    const said = JSON.stringify(body)
    if (said.includes('prompt two')) return { text: 'Second answer.', fault: held[1]! }
    return { text: 'First answer.', ...(said.includes('prompt one') && { fault: held[0]! }) }
  })
  const first = await open()
  await say(first, 'An earlier session')
  await first.waitFor('First answer.')
  await first.waitFor(isIdle)
  await first.press('ctrl+d')
  await first.exit()
  const terminal = await open()
  await say(terminal, 'prompt one')
  await terminal.waitFor('Esc cancels')
  await say(terminal, '/resume')
  await terminal.waitFor('waiting: /resume')
  await say(terminal, 'prompt two')
  await terminal.waitFor(/waiting: .*prompt two/)
  gates[0]!.resolve()
  await terminal.waitFor(/^Sessions .* of 2/m)
  await terminal.waitFor(() => server.requests.some(({ body }) => JSON.stringify(body).includes('prompt two')))
  await terminal.press('down', 'enter')
  await terminal.waitFor('The model is at work.')
  gates[1]!.resolve()
  await terminal.waitFor('Second answer.')
  await terminal.waitFor(isIdle)
  expect(terminal.screen().join('\n')).not.toContain('An earlier session')
})
