import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ask, inEditor, isIdle, project, say, served } from '../../testing/chat-terminal.ts'
import { tempFolder } from '../../testing/run-treeline.ts'

/** An editor that is open until a line is typed, and leaves that. */
function waitingEditor(): string {
  const path = join(tempFolder(), 'my-editor')
  writeFileSync(
    path,
    '#!/bin/sh\nprintf "\\033[?1049h\\033[2J\\033[HI am an editor\\n"\nread line\nprintf "%s" "$line" > "$1"\nprintf "\\033[?1049l"\n',
  )
  chmodSync(path, 0o755)
  return path
}

const countOf = (text: string, part: string) => text.replace(/\s+/g, ' ').split(part).length - 1

test('a window that changes while the user’s editor has it is drawn for its new size afterwards, and not before', async () => {
  const { open } = project()
  const terminal = await open([], { env: { EDITOR: waitingEditor() } })
  await ask(terminal, 'Hi')
  await terminal.press('ctrl+g')
  await terminal.waitFor('I am an editor')
  const before = terminal.output.length
  terminal.resize(44, 20)
  terminal.resize(50, 18)
  await terminal.type('from there\r')
  const screen = await terminal.waitFor((rows) => inEditor(rows) === 'from there')
  expect(terminal.output.slice(before).split('\u001b[?1049l')[0]).not.toContain('demo/demo')
  expect(screen.filter((row) => /^demo\/demo/.test(row))).toHaveLength(1)
  expect(screen.filter((row) => /^❯ from there/.test(row))).toHaveLength(1)
  expect(screen.filter((row) => row.length > 50)).toEqual([])
  await terminal.waitFor((rows) => countOf(rows.join('\n'), 'Things to try with me:') === 1)
  await terminal.press('ctrl+c')
  await terminal.waitFor(isIdle)
})

test('what is said while the user’s editor is open stands in the transcript afterwards, once', async () => {
  const { open, server } = await served([])
  const gate = Promise.withResolvers<void>()
  const calls = [{ id: 'c1', name: 'ls', input: { path: '.' } }]
  server.reply(({ body }) => {
    if (body.tools === undefined) return { text: 'A title' }
    if (JSON.stringify(body).includes('look around')) return { text: 'There is little to see.' }
    return { text: 'I shall look around.', toolCalls: calls, fault: { type: 'slow', gate: () => gate.promise } }
  })
  const terminal = await open({ env: { EDITOR: waitingEditor() } })
  await say(terminal, 'Look')
  await terminal.waitFor('Esc cancels')
  await terminal.press('ctrl+g')
  await terminal.waitFor('I am an editor')
  gate.resolve()
  // The title is asked for when the turn is done.
  await expect.poll(() => server.requests.some(({ body }) => body.tools === undefined), { timeout: 10_000 }).toBe(true)
  await terminal.type('from there\r')
  await terminal.waitFor((rows) => inEditor(rows) === 'from there')
  await terminal.waitFor('There is little to see.')
  for (const said of ['❯ Look', 'I shall look around.', 'There is little to see.']) {
    expect(countOf(terminal.screen().join('\n'), said), said).toBe(1)
  }
})
