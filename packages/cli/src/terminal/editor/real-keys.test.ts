import { PassThrough } from 'node:stream'
import { type Key, render, useInput } from 'ink'
import { createElement, useEffect } from 'react'
import { expect, test } from 'vitest'
import { type EditorState, emptyEditor } from './editor-state.ts'
import { type Pressed, press } from './press.ts'
import { at, marked } from './testing/keys.ts'

interface OwnerProps {
  readonly onKey: (input: string, key: Key) => void
  readonly onReady: () => void
}

function Owner({ onKey, onReady }: OwnerProps) {
  useInput(onKey)
  useEffect(onReady, [onReady])
  return null
}

/** What the bytes of a terminal do to an editor, read by Ink itself. Each string is one piece that arrives. */
async function afterBytes(start: EditorState, ...pieces: readonly string[]): Promise<Pressed> {
  const tty = { isTTY: true, setRawMode: () => {}, ref: () => {}, unref: () => {} }
  const stdin = Object.assign(new PassThrough(), tty) as unknown as NodeJS.ReadStream & PassThrough
  const stdout = Object.assign(new PassThrough(), { columns: 80, rows: 24 }) as unknown as NodeJS.WriteStream
  const ready = Promise.withResolvers<void>()
  let state = start
  let pressed: Pressed = { type: 'state', state }
  const onKey = (input: string, key: Key) => {
    pressed = press(state, input, key)
    if (pressed.type === 'state') state = pressed.state
  }
  const owner = createElement(Owner, { onKey, onReady: ready.resolve })
  const app = render(owner, { stdin, stdout, exitOnCtrlC: false, patchConsole: false })
  await ready.promise
  for (const piece of pieces) {
    stdin.write(piece)
    while (stdin.readableLength > 0) await new Promise(setImmediate)
  }
  app.unmount()
  return pressed
}

const ESC = '\u001b'

test.each([
  ['Ctrl+J', 'a|b', '\n', 'a\n|b'],
  ['Alt+Enter', 'a|b', `${ESC}\r`, 'a\n|b'],
  ['Shift+Enter of kitty', 'a|b', `${ESC}[13;2u`, 'a\n|b'],
  ['Backspace', 'a👍🏽|b', '\u007f', 'a|b'],
  ['Alt+Backspace', 'one two|', `${ESC}\u007f`, 'one |'],
  ['Delete', 'a|👍🏽b', `${ESC}[3~`, 'a|b'],
  ['←', 'a👍🏽|', `${ESC}[D`, 'a|👍🏽'],
  ['Ctrl+←', 'one two|', `${ESC}[1;5D`, 'one |two'],
  ['Alt+→', '|one two', `${ESC}[1;3C`, 'one| two'],
  ['Alt+B', 'one two|', `${ESC}b`, 'one |two'],
  ['Home', 'x\nab|', `${ESC}[H`, 'x\n|ab'],
  ['End of rxvt', 'x\n|ab', `${ESC}[8~`, 'x\nab|'],
  ['Ctrl+A', 'ab|', '\u0001', '|ab'],
  ['Ctrl+E', '|ab', '\u0005', 'ab|'],
  ['Ctrl+U', 'ab|c', '\u0015', '|c'],
  ['Ctrl+K', 'ab|c', '\u000b', 'ab|'],
  ['Ctrl+W', 'one two|', '\u0017', 'one |'],
  ['↑', 'ab\nc|d', `${ESC}[A`, 'a|b\ncd'],
  ['a letter', 'a|', 'Ä', 'aÄ|'],
  ['text of two lines', '|', 'one\r\ntwo\r', 'one\ntwo\n|'],
])('%s does what it says, from the bytes on', async (_name, before, bytes, expected) => {
  const pressed = await afterBytes(at(before), bytes)
  expect(pressed.type === 'state' && marked(pressed.state)).toBe(expected)
})

test('Enter submits, Ctrl+_ undoes, Ctrl+Y yanks, from the bytes on', async () => {
  expect(await afterBytes(emptyEditor, 'hello', '\r')).toEqual({ type: 'submit', text: 'hello' })
  expect(await afterBytes(emptyEditor, 'hello\r')).toEqual({ type: 'submit', text: 'hello' })
  expect(await afterBytes(emptyEditor, 'hello', '\u001f')).toMatchObject({ state: { text: '' } })
  expect(await afterBytes(emptyEditor, 'one two', '\u0017', '\u0019\u0019')).toMatchObject({
    state: { text: 'one twotwo' },
  })
  expect(await afterBytes(emptyEditor, `${ESC}[A`)).toEqual({ type: 'history', direction: 'earlier' })
})
