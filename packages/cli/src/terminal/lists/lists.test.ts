import { PassThrough } from 'node:stream'
import type { EntryDraft } from '@treeline/core'
import { openMemoryStore, type Session } from '@treeline/store'
import { render } from 'ink'
import { createElement, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BranchList } from './BranchList.tsx'
import { TreeList } from './TreeList.tsx'

const [UP, DOWN, LEFT] = ['\u001b[A', '\u001b[B', '\u001b[D']
const [ENTER, ESC, TAB] = ['\r', '\u001b', '\t']
const ANSI = new RegExp(`${ESC}\\[[0-9;?]*[a-zA-Z]`, 'g')

let session: Session
let called: string[]
let shown: { press(keys: string): void; until(text: string): Promise<string>; end(): void } | undefined

function says(id: string, role: string, text: string): EntryDraft {
  return { id, type: 'message', message: { role, content: [{ type: 'text', text }], timestamp: 1 } }
}

beforeEach(async () => {
  called = []
  session = await (await openMemoryStore()).create({ cwd: '/project' })
  await session.appendAll([
    says('u1', 'user', 'Plan a trip \u001b]52;c;eA==\u0007'),
    says('a1', 'assistant', '去罗马吗？'),
  ])
  await session.append(says('u2', 'user', 'left'))
  await session.branch('a1')
  await session.append(says('u3', 'user', 'right'))
})

afterEach(() => shown?.end())

/** Ink on streams of our own: the last frame is the screen. */
function show(node: ReactNode) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode() {}, ref() {}, unref() {} })
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 60, rows: 20 })
  let frame = ''
  let look = () => {}
  stdout.on('data', (bytes: Buffer) => {
    frame = bytes.toString().replace(ANSI, '')
    look()
  })
  const { unmount } = render(node, {
    stdin,
    stdout,
    debug: true,
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
  })
  shown = {
    press: (keys) => void stdin.write(keys),
    until: (text) =>
      new Promise((resolve) => {
        look = () => {
          if (frame.includes(text)) resolve(frame)
        }
        look()
      }),
    end: unmount,
  }
  return shown
}

function call(name: string) {
  return (nodeId = '') => {
    called.push(`${name} ${nodeId}`.trim())
  }
}

function tree(rows: number, isUnicode = true) {
  const calls = { onPick: call('pick'), onMute: call('mute'), onPrune: call('prune'), onUndo: call('undo') }
  return createElement(TreeList, { session, rows, columns: 60, isUnicode, ...calls, onClose: call('close') })
}

test('branch list: arrows, Tab, Enter', async () => {
  const list = { session, rows: 10, columns: 60, isUnicode: true, onPick: call('pick'), onClose: call('close') }
  const { press, until } = show(createElement(BranchList, list))
  expect(await until('Plan a trip')).toContain('› just now    right')
  press(DOWN)
  press(DOWN)
  expect(await until('› just now    Plan')).toContain('2 of 2')
  press(TAB)
  expect(await until('left')).toContain('3 of 3')
  press(UP)
  await until('› just now    left')
  press(ENTER)
  await until('2 of 3')
  await expect.poll(() => called).toEqual(['pick u2'])
  press(ESC)
  await expect.poll(() => called).toEqual(['pick u2', 'close'])
})

test('tree list: what it shows fits, also without Unicode', async () => {
  const unicode = await show(tree(10)).until('去罗马吗')
  expect(unicode.split('\n').slice(0, 5)).toEqual([
    'Tree · 3 of 4',
    '  ● user       Plan a trip',
    '  ● assistant  (2 branches) 去罗马吗？',
    '› ├─● user       (leaf) right',
    '  └─○ user       left',
  ])
  shown!.end()
  const ascii = await show(tree(4, false)).until('(leaf) right')
  expect(ascii.trimEnd().split('\n').slice(0, 3)).toEqual([
    'Tree - 3 of 4',
    '  * assistant  (2 branches) 去罗马吗？',
    '> |-* user       (leaf) right',
  ])
})

test('tree list: keys', async () => {
  const { press, until } = show(tree(10))
  await until('right')
  press('\u001bm')
  press('\u001bu')
  await expect.poll(() => called).toEqual(['mute u3', 'undo'])
  press('\u001bp')
  await expect.poll(() => called.at(-1)).toBe('prune u3')
  press(LEFT)
  await until('2 of 4')
  press(LEFT)
  await until('2 below')
  press('trip plan')
  expect(await until('Search: trip plan · 1 of 1')).not.toContain('left')
  press(ESC)
  await until('Tree · 2 of 2')
  press('\u0015')
  await until('Tree · user')
  press('\u0015')
  await until('Tree · 2 of 2')
  press(ENTER)
  await expect.poll(() => called.at(-1)).toBe('pick a1')
  press(ESC)
  await expect.poll(() => called.at(-1)).toBe('close')
})

test('tree list: shows what another writer does', async () => {
  const { until } = show(tree(10))
  await until('right')
  await session.edit({ operations: [{ op: 'mute', nodeIds: ['u2'] }] })
  expect(await until('(muted) left')).toContain('└─○ user')
})
