import type { SessionSummary } from '@treeline/protocol'
import { expect, test } from 'vitest'
import { arrangeSessions, mergePage, tagsOf } from './arrange-sessions.ts'

const session = (sessionId: string, day: number, more: Partial<SessionSummary> = {}): SessionSummary => ({
  sessionId,
  title: sessionId,
  mode: 'tree',
  nodeCount: 2,
  branchCount: 1,
  generating: 0,
  tags: [],
  starred: false,
  archived: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: `2026-01-0${day}T00:00:00.000Z`,
  version: 1,
  preview: '',
  cwd: '/p',
  tool: 'treeline',
  ...more,
})
const idsOf = (sessions: readonly SessionSummary[]) => sessions.map(({ sessionId }) => sessionId)
const ALL = { tag: undefined, pinned: false, archived: false }
const NOTHING = new Map<string, Partial<SessionSummary>>()

test('pinned ones stand first, then what was active last', () => {
  const sessions = [session('a', 1), session('b', 3), session('c', 2, { starred: true })]
  expect(idsOf(arrangeSessions(sessions, NOTHING, ALL))).toEqual(['c', 'b', 'a'])
})

test('a name sticks: what was changed here counts until the server has answered', () => {
  const pending = new Map([['a', { title: 'New', archived: false }]])
  const [shown] = arrangeSessions([session('a', 1, { title: 'Old as the list still has it' })], pending, ALL)
  expect(shown?.title).toBe('New')
  expect(arrangeSessions([session('a', 1)], new Map([['a', { archived: true }]]), ALL)).toEqual([])
})

test('a tag and what is archived filter', () => {
  const sessions = [session('a', 1, { tags: ['x'] }), session('b', 2, { archived: true, tags: ['x'] }), session('c', 3)]
  expect(idsOf(arrangeSessions(sessions, NOTHING, { ...ALL, tag: 'x' }))).toEqual(['a'])
  expect(idsOf(arrangeSessions(sessions, NOTHING, { ...ALL, tag: 'x', archived: true }))).toEqual(['b', 'a'])
  expect(tagsOf(sessions)).toEqual(['x'])
})

test('only what is pinned, from the moment on that it is', () => {
  const sessions = [session('a', 1, { starred: true }), session('b', 2), session('c', 3)]
  const pending = new Map([['c', { starred: true }]])
  expect(idsOf(arrangeSessions(sessions, pending, { ...ALL, pinned: true }))).toEqual(['c', 'a'])
})

test('a change keeps what was scrolled to, and asks only for what changed outside the newest page', () => {
  const loaded = [session('a', 9), session('b', 8), session('c', 7), session('d', 6)]
  const page = [session('e', 9), session('a', 9)]
  const { sessions, toAsk } = mergePage(loaded, page, new Set(['e', 'd', 'unknown']))
  expect(idsOf(sessions)).toEqual(['e', 'a', 'b', 'c', 'd'])
  expect(toAsk).toEqual(['d'])
})
