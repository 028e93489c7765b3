import { PassThrough } from 'node:stream'
import { type EntryDraft, Flag } from '@treeline/core'
import { openMemoryStore, type Session } from '@treeline/store'
import { render } from 'ink'
import { createElement, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { widthOf } from '../../output/table.ts'
import { BranchList } from './BranchList.tsx'
import { TreeList } from './TreeList.tsx'
import { treeEdits } from './tree-edits.ts'

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
  return (...args: readonly (string | boolean)[]) => {
    called.push([name, ...args].join(' '))
    return undefined
  }
}

/** A real tree; what would go to the chat is noted down. */
function tree(rows: number, isUnicode = true, columns = 60) {
  const calls = { ...treeEdits(session), onPick: call('pick'), onCopy: call('copy'), onClose: call('close') }
  return createElement(TreeList, { session, rows, columns, isUnicode, ...calls })
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
  await until('› ○ just now    left')
  press(ENTER)
  await until('2 of 3')
  await expect.poll(() => called).toEqual(['pick u2'])
  press(ESC)
  await expect.poll(() => called).toEqual(['pick u2', 'close'])
})

test('branch list: nothing is wider than the window, at 40 columns, with wide characters; K4', async () => {
  await session.append(says('u9', 'user', `去${'👩‍👩‍👧'.repeat(60)}\u001b]0;owned\u0007`))
  for (const isUnicode of [true, false]) {
    const list = { session, rows: 10, columns: 40, isUnicode, onPick: call('pick'), onClose: call('close') }
    const { press, until } = show(createElement(BranchList, list))
    await until('去👩‍👩‍👧')
    press(TAB)
    const frame = await until('all branches')
    expect(frame).not.toContain('owned')
    expect(frame).toContain('Esc close')
    for (const line of frame.split('\n')) expect(widthOf(line), line).toBeLessThanOrEqual(40)
    shown!.end()
  }
})

test('branch list: what is said meanwhile, elsewhere, comes in at the top; the cursor stays with its message', async () => {
  const list = { session, rows: 10, columns: 60, isUnicode: true, onPick: call('pick'), onClose: call('close') }
  const { press, until } = show(createElement(BranchList, list))
  await until('Plan a trip')
  press(TAB)
  await until('1 of 3')
  await session.append(says('u9', 'user', 'newest'), { parentId: 'u2', leaf: 'stay' })
  expect(await until('newest')).toContain('2 of 4')
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
  const { press, until } = show(tree(12))
  await until('right')
  press(LEFT)
  await until('2 of 4')
  press(LEFT)
  await until('2 below')
  press('trip plan')
  expect(await until('Search: trip plan · 1 of 1 found')).not.toContain('left')
  press(ESC)
  await until('Tree · 2 of 2')
  press('\u0015')
  await until('Tree · user only')
  press('\u0015')
  await until('Tree · 2 of 2')
  press(`${ESC}c`)
  await expect.poll(() => called.at(-1)).toBe('copy a1')
  press(ENTER)
  await expect.poll(() => called.at(-1)).toBe('pick a1 false')
  press(ESC)
  await expect.poll(() => called.at(-1)).toBe('close false')
})

test('tree list: what a key did is told above the rows until the next one', async () => {
  const { press, until } = show(tree(12))
  await until('right')
  press(`${ESC}m`)
  expect(await until('Muted 1 node')).toMatch(/^Muted 1 node: about \d+ tokens? less\. Alt\+U undoes it\./)
  expect(session.tree.columns.has(session.tree.ids.find('u3'), Flag.muted)).toBe(true)
  press(UP)
  expect(await until('Tree · 2 of 4')).toContain('(leaf, muted) right')
  press(`${ESC}u`)
  await until('Undone: mute u3. Alt+R does it again.')
  press(`${ESC}r`)
  await until('Redone: mute u3. Alt+U undoes it.')
  press(`${ESC}u`)
  await until('Undone')
  press(`${DOWN}${DOWN}`)
  await until('4 of 4')
  press(`${ESC}p`)
  expect(await until('Pruned 1 node into the stash')).toContain('the model is sent the same')
  press(ESC)
  await expect.poll(() => called.at(-1)).toBe('close true')
})

test('tree list: a node is taken hold of and hung elsewhere; what cannot be is told, and it is still held', async () => {
  const { press, until } = show(tree(12))
  await until('right')
  press(UP)
  await until('2 of 4')
  press(`${ESC}g`)
  expect(await until('Grafting a1: go to its new parent')).toContain('(grafting, 2 branches)')
  press(DOWN)
  press(`${ESC}g`)
  await until('Node u3 is part of what hangs under a1.')
  press(ESC)
  await until('Tree · 3 of 4')
  press(`${DOWN}${ESC}g`)
  await until('Grafting u2')
  press(`${UP}${ESC}g`)
  await until('Grafted u2 under u3')
  expect(session.tree.columns.parent[session.tree.ids.find('u2')]).toBe(session.tree.ids.find('u3'))
  press(`${ESC}p`)
  await until('Pruned 1 node into the stash')
  press(`${DOWN}`)
  await until('› ◌ user       (pruned)')
  press(`${ESC}g`)
  await until('Grafting u2')
  press(`${UP}${UP}${ESC}g`)
  expect(await until('Grafted u2 under a1')).not.toContain('pruned')
})

test('tree list: a label is typed beginning with the one that is there; an empty one takes it away', async () => {
  const { press, until } = show(tree(12))
  await until('right')
  press(`${ESC}l`)
  await until('Label (empty')
  press('good')
  await until('❯ good')
  press(ENTER)
  expect(await until('Labelled “good”')).toContain('(leaf, #good) right')
  press(`${ESC}l`)
  await until('❯ good')
  press(' idea\r')
  await until('#good idea')
  press(`${ESC}l`)
  await until('❯ good idea')
  press('\u0015')
  press(ENTER)
  await until('Took the label away')
  expect(session.tree.edits.labels.size).toBe(0)
  press(`${ESC}l`)
  await until('Label (empty')
  press(ESC)
  await until('Esc close')
  expect(called).toEqual([])
})

test('tree list: nothing is wider than the window, at 40 columns, with wide characters', async () => {
  await session.append(says('a9', 'assistant', '👩‍👩‍👧'.repeat(60)))
  await session.setLabel('a1', '很长的标签'.repeat(10))
  for (const isUnicode of [true, false]) {
    const frame = await show(tree(20, isUnicode, 40)).until('👩‍👩‍👧')
    for (const line of frame.split('\n')) expect(widthOf(line), line).toBeLessThanOrEqual(40)
    expect(frame).toContain('Esc close')
    expect(frame).toContain('Ctrl: T no tools')
    expect(frame).toContain('Alt: M mute')
    shown!.end()
  }
})

test('tree list: shows what another writer does', async () => {
  const { until } = show(tree(10))
  await until('right')
  await session.edit({ operations: [{ op: 'mute', nodeIds: ['u2'] }] })
  expect(await until('(muted) left')).toContain('└─○ user')
})
