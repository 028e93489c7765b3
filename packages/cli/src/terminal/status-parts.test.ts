import { expect, test } from 'vitest'
import type { Status } from './chat-snapshot.ts'
import { type StatusFacts, statusParts } from './status-parts.ts'

const status: Status = {
  model: 'anthropic/claude-9',
  thinking: 'high',
  tokens: 81_000,
  window: 100_000,
  cost: 1.234,
  isCostPartial: false,
  mode: 'yolo',
}
const facts: StatusFacts = { status, name: 'Kettle', cwd: '/home/me/code/kettle', userHome: '/home/me', queued: 0 }
const line = (columns: number, change: Partial<StatusFacts> = {}) =>
  statusParts({ ...facts, ...change }, columns, ' · ')
    .map(({ text }) => text)
    .join(' · ')

test('with room for it everything is told', () => {
  expect(line(120)).toBe('anthropic/claude-9 · thinks high · 81k 81% · $1.23 · yolo · Kettle · ~/code/kettle')
})

test('a folder is cut from its beginning, then the least important goes first', () => {
  expect(line(78)).toMatch(/· \.\.\.\S*kettle$/)
  expect(line(60)).toBe('anthropic/claude-9 · 81k 81% · $1.23 · yolo · Kettle')
  expect(line(40)).toBe('anthropic/claude-9 · 81k 81% · yolo')
  expect(line(20)).toBe('anthropic/claude-9')
  expect(line(10)).toBe('anthropic…')
})

test.each([5, 12, 20, 33, 40, 57, 80, 200])('never more than %i columns, with wide characters too', (columns) => {
  const wide = { name: '東京のやかん'.repeat(9), cwd: `/home/me/${'東'.repeat(60)}` }
  const width = [...line(columns, wide)].reduce((sum, char) => sum + (char.charCodeAt(0) > 0x2e80 ? 2 : 1), 0)
  expect(width).toBeLessThanOrEqual(columns)
})

test('a window that is nearly full and a mode that asks nothing are warnings', () => {
  const warned = (change: Partial<Status>) =>
    statusParts({ ...facts, status: { ...status, ...change } }, 200, ' ').flatMap(({ text, isWarning }) =>
      isWarning ? [text] : [],
    )
  expect(warned({})).toEqual(['81k 81%', 'yolo'])
  expect(warned({ tokens: 79_000, mode: 'autoEdit' })).toEqual([])
})

test('a cost that is not the whole says so, and so does a folder that only looks like home', () => {
  expect(line(200, { status: { ...status, isCostPartial: true } })).toContain('+$1.23')
  expect(line(200, { cwd: '/home/meadow' })).toContain('· /home/meadow')
  expect(line(200, { cwd: '/home/me' })).toMatch(/· ~$/)
})
