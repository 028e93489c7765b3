import type { IndexedSession } from '@treeline/store'
import { expect, test } from 'vitest'
import { render } from '../output/style.ts'
import { widthOf } from '../output/table.ts'
import { projectText, sessionTable } from './session-table.ts'

const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, cost: 1.5 }
const session = (more: Partial<IndexedSession>): IndexedSession => ({
  id: '019a0000-0000-7000-8000-0000deadbeef',
  path: '/p/s.jsonl',
  source: 'pi',
  cwd: '/home/me/code/project',
  parentSession: undefined,
  name: undefined,
  firstPrompt: 'hello',
  createdAt: undefined,
  lastActiveAt: new Date().toISOString(),
  entryCount: 3,
  messageCount: 1234,
  branchCount: 2,
  nodeCount: 1234,
  lastSeq: 4,
  leafId: null,
  models: [],
  usage,
  ownUsage: usage,
  isPinned: false,
  isArchived: false,
  isLinear: false,
  tags: [],
  sizeBytes: 1,
  damageCount: 0,
  problem: undefined,
  ...more,
})

test('no line is wider than the terminal, whatever sessions are called', () => {
  const sessions = [
    session({ name: '名前'.repeat(100), isPinned: true }),
    session({ firstPrompt: `a\n\u001b[31mred ${'x'.repeat(500)}`, damageCount: 2 }),
    session({ firstPrompt: undefined, problem: 'It cannot be read', id: undefined, isArchived: true }),
  ]
  const nameOf = (id: string | undefined) => id?.slice(-8) ?? '?'
  for (const width of [40, 60, 80, 120]) {
    const lines = [...sessionTable(sessions, { width, hasProject: true, userHome: '/home/me', nameOf })]
    const shown = lines.map((line) => render(line, false))
    expect(shown.map(widthOf).filter((size) => size > width)).toEqual([])
    expect(shown[1]).toMatch(width < 60 ? /^deadbeef {2}just now {2}★ 名前/ : /^deadbeef {2}pi {4}just now {2}★ 名前/)
    expect(shown[2]).toContain(width < 80 ? '[damaged]' : '[damaged] a red')
    expect(shown[3]).toContain(width < 80 ? '[unreadable]' : '[unreadable] [archi')
    expect(shown[0]!.includes('cost')).toBe(width >= 100)
  }
})

test('of a long path its end is shown', () => {
  expect(projectText('/home/me/x', '/home/me')).toBe('~/x')
  expect(projectText('/home/me2/x', '/home/me')).toBe('/home/me2/x')
  expect(projectText(`/a/${'b'.repeat(40)}/end`, undefined)).toBe(`…${'b'.repeat(19)}/end`)
  expect(projectText('/home/me/x', '/home/me', true)).toBe('x')
  expect(projectText('/', undefined, true)).toBe('/')
  expect(projectText(undefined, undefined)).toBe('?')
})
