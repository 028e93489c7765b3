import type { EntryDraft } from '@treeline/core'
import { openMemoryStore, type Session } from '@treeline/store'
import { beforeEach, describe, expect, test } from 'vitest'
import { readView } from '../../drawing/read-view.ts'
import { refsBelow } from '../../drawing/view-sizes.ts'
import { glyphsFor } from './glyphs.ts'
import { rowsInSight } from './list-state.ts'
import { TreeBrowser } from './tree-browser.ts'
import { describeRow } from './tree-rows.ts'

let session: Session

function says(role: string, text: string, id: string): EntryDraft {
  return { id, type: 'message', message: { role, content: [{ type: 'text', text }], timestamp: 1 } }
}

function calls(id: string): EntryDraft {
  const content = [{ type: 'toolCall', id: 'c', name: 'ls', arguments: {} }]
  return { id, type: 'message', message: { role: 'assistant', content, stopReason: 'toolUse', timestamp: 1 } }
}

beforeEach(async () => {
  session = await (await openMemoryStore()).create({ cwd: '/project' })
  const result: EntryDraft = {
    id: 'r1',
    type: 'message',
    message: { role: 'toolResult', toolCallId: 'c', toolName: 'ls', content: [], isError: false, timestamp: 1 },
  }
  await session.appendAll([says('user', 'Plan a Trip', 'u1'), calls('a1'), result, says('assistant', 'Rome?', 'a2')])
  await session.appendAll([says('user', 'left', 'u2'), says('assistant', 'left answer', 'a3')])
  await session.branch('a2')
  await session.appendAll([says('user', 'right', 'u3'), says('assistant', 'right answer', 'a4')])
})

function drawn(browser: TreeBrowser, isUnicode = true): string[] {
  return Array.from({ length: browser.length }, (_, i) => {
    const row = describeRow(browser.facts, browser.rowAt(i), glyphsFor(isUnicode), 20)
    const text = browser.previews.textOf(row.ref) ?? ''
    return `${row.lead}${row.word} ${row.notes}${text}`.trimEnd()
  })
}

function typed(browser: TreeBrowser, text: string): void {
  for (let end = 1; end <= text.length; end++) browser.search(text.slice(0, end))
}

describe('the tree as rows', () => {
  test('the active branch comes first, the cursor is on the leaf', async () => {
    const browser = new TreeBrowser(session, 10)
    expect(browser.chosen).toBe('a4')
    expect(drawn(browser)).toEqual([
      '● user',
      '● assistant',
      '● toolResult',
      '● assistant (2 branches)',
      '├─● user',
      '│ ● assistant (leaf)',
      '└─○ user',
      '  ○ assistant',
    ])
    expect(drawn(browser, false).slice(4, 7)).toEqual(['|-* user', '| * assistant (leaf)', '`-o user'])
  })

  test('folds, goes up, unfolds and goes down', () => {
    const browser = new TreeBrowser(session, 10)
    browser.fold()
    expect(browser.chosen).toBe('u3')
    browser.fold()
    browser.fold()
    expect(browser.chosen).toBe('a2')
    browser.fold()
    expect(drawn(browser).at(-1)).toBe('▸● assistant (2 branches, 4 below)')
    browser.unfold()
    expect(browser.length).toBe(7)
    browser.unfold()
    expect(browser.chosen).toBe('u3')
  })

  test('marks what is muted, labelled and pruned', async () => {
    const browser = new TreeBrowser(session, 10)
    await session.edit({ operations: [{ op: 'mute', nodeIds: ['u1'] }] })
    await session.setLabel('a2', 'good\u001b[31m')
    await session.edit({ operations: [{ op: 'prune', nodeId: 'u2', include: 'self' }] })
    browser.refresh()
    expect(browser.chosen).toBe('a4')
    expect(drawn(browser)).toEqual([
      '● user (muted)',
      '● assistant',
      '● toolResult',
      '● assistant (#good)',
      '● user',
      '● assistant (leaf)',
      '◌ user (pruned)',
      '◌ assistant',
    ])
  })

  test('filters, and comes back to where it was', async () => {
    const browser = new TreeBrowser(session, 10)
    browser.toggleFilter('user')
    expect(browser.chosen).toBe('u3')
    expect(drawn(browser)).toEqual(['● user (2 branches)', '├─● user', '└─○ user'])
    browser.toggleFilter('user')
    expect(browser.chosen).toBe('a4')
    browser.toggleFilter('no-tools')
    expect(browser.length).toBe(7)
    expect(await browser.readInSight()).toBe(true)
    expect(browser.length).toBe(6)
    expect(await browser.readInSight()).toBe(false)
    browser.toggleFilter('labeled')
    expect([browser.length, browser.chosen]).toEqual([0, undefined])
    browser.move('down')
    browser.fold()
    browser.unfold()
    browser.toggleFilter('all')
    expect(browser.length).toBeGreaterThanOrEqual(8)
  })
})

test('without tools only what is looked at is read, as far as it takes to fill the window', async () => {
  const many = Array.from({ length: 400 }, (_, i) => calls(`w${i}`))
  await session.appendAll([...many, says('user', 'on', 'u9'), says('assistant', 'and on', 'a9')])
  await session.appendAll(Array.from({ length: 400 }, (_, i) => says('user', 'more', `m${i}`)))
  await session.branch('u9')
  const browser = new TreeBrowser(session, 4)
  browser.toggleFilter('no-tools')
  const all = browser.searched
  expect(await browser.readInSight()).toBe(true)
  const top = rowsInSight(browser.list, browser.length, 4).map((index) =>
    browser.previews.textOf(browser.refAt(index)!),
  )
  expect(top).not.toContain(undefined)
  expect(top).not.toContain('')
  expect(browser.previews.countRead(all)).toBeLessThan(all.length - 300)
  expect(browser.chosen).toBe('u9')
})

test('answers that failed or were cancelled are marked once they were read', async () => {
  const ended = (id: string, stopReason: string): EntryDraft => ({
    id,
    type: 'message',
    message: { role: 'assistant', content: [], stopReason, timestamp: 1 },
  })
  await session.appendAll([ended('e1', 'error'), ended('e2', 'aborted')])
  const browser = new TreeBrowser(session, 10)
  expect(drawn(browser).join()).not.toMatch(/failed|cancelled/)
  await browser.readInSight()
  expect(drawn(browser).slice(6, 8)).toEqual(['│ ● assistant (failed)', '│ ● assistant (leaf, cancelled)'])
})

test('a held node is marked, and stays the one the cursor is at when it was hung elsewhere', async () => {
  const browser = new TreeBrowser(session, 10)
  browser.held = 'u2'
  expect(drawn(browser)[6]).toBe('└─○ user (grafting)')
  await session.edit({ operations: [{ op: 'graft', sourceId: 'u2', targetId: 'a4' }] })
  browser.held = undefined
  browser.stayWith('u2')
  browser.refresh()
  expect([browser.chosen, drawn(browser).length]).toEqual(['u2', 8])
})

test('filters show what `treeline tree` shows', async () => {
  await session.setLabel('u2', 'kept')
  await session.edit({ operations: [{ op: 'prune', nodeId: 'u2', include: 'self' }] })
  const browser = new TreeBrowser(session, 10)
  for (const filter of ['user', 'no-tools', 'labeled', 'all'] as const) {
    browser.toggleFilter(filter)
    await browser.previews.read(browser.searched)
    browser.takeFound()
    const view = await readView(session, filter)
    const roots = [...view.roots, ...view.stash.flatMap((stashed) => stashed.roots)]
    expect([...browser.searched].sort(), filter).toEqual(refsBelow(view, roots).sort())
  }
})

describe('search', () => {
  test('all words, in role, label or text; folds do not hide what is found', async () => {
    const browser = new TreeBrowser(session, 10)
    browser.move('first')
    browser.fold()
    await browser.previews.read(browser.searched)
    typed(browser, 'ANSWER left')
    expect(drawn(browser)).toEqual(['○ assistant left answer'])
    expect(browser.chosen).toBe('a3')
    typed(browser, 'user trip')
    expect(browser.chosen).toBe('u1')
    browser.search('')
    expect(browser.length).toBe(1)
  })

  test('a letter more looks through what was found, a letter less through all', async () => {
    const browser = new TreeBrowser(session, 10)
    await browser.previews.read(browser.searched)
    const found = (query: string) => {
      browser.search(query)
      const slow = new TreeBrowser(session, 10)
      Object.assign(slow, { previews: browser.previews })
      slow.search(query)
      expect(drawn(browser), query).toEqual(drawn(slow))
      return browser.length
    }
    const counts = ['r', 'ri', 'rig', 'right', 'right ', 'right a', 'right', 'ri', 'ra', '', 'left'].map(found)
    expect(counts).toEqual([7, 3, 2, 2, 2, 1, 2, 3, 0, 8, 2])
    await session.append(says('user', 'right away', 'u9'))
    browser.refresh()
    await browser.previews.read(browser.searched)
    expect(found('right')).toBe(3)
  })

  test('what was not read yet is found by role at once and by text later', async () => {
    const browser = new TreeBrowser(session, 10)
    typed(browser, 'assistant rome')
    expect(browser.length).toBe(0)
    await browser.previews.read(browser.searched)
    browser.takeFound()
    expect(browser.chosen).toBe('a2')
    expect(browser.previews.missing(browser.searched)).toEqual([])
  })
})
