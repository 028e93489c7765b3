import { type Entry, encodeHeader } from '@treeline/core'
import { beforeEach, expect, test } from 'vitest'
import { BatchPlanning } from './batch-planning.ts'
import { LineBuffer } from './line-buffer.ts'
import { LogReader } from './log-reader.ts'

const timestamp = '2026-01-02T03:04:05.678Z'
const messageOf = (id: string, parentId: string | null): Entry => ({
  type: 'message',
  id,
  parentId,
  timestamp,
  message: { role: 'user', content: id },
})

let reader: LogReader
let lines: LineBuffer
let planning: BatchPlanning

beforeEach(() => {
  reader = new LogReader()
  reader.push(encodeHeader({ type: 'session', version: 3, id: 's', timestamp, cwd: '/work' }))
  lines = new LineBuffer()
  planning = new BatchPlanning(reader, lines)
})

function add(id: string, parentId: string | null): void {
  const entry = messageOf(id, parentId)
  lines.addMessage(entry, JSON.stringify(entry.message))
}

test('a message is known as the last, and its id as taken, before and after the tree has it', () => {
  expect(planning.lastMessageId).toBeUndefined()
  add('00000001', null)
  add('00000002', '00000001')
  expect(planning.lastMessageId).toBe('00000002')
  expect(reader.heads.count).toBe(0)
  expect(['00000001', '00000002', '00000003'].map(planning.isTaken)).toEqual([true, true, false])
  expect(planning.tree.rowCount).toBe(2)
  expect(planning.lastMessageId).toBeUndefined()
  expect(['00000001', '00000002', '00000003'].map(planning.isTaken)).toEqual([true, true, false])
})

test('behind any other line nobody goes on without the tree', () => {
  add('00000001', null)
  lines.addEntry({ type: 'label', id: '00000002', parentId: '00000001', timestamp, targetId: '00000001', label: 'a' })
  expect(planning.lastMessageId).toBeUndefined()
})

test('a message that was taken back is neither the last nor taken', () => {
  add('00000001', null)
  const mark = lines.mark()
  add('00000002', '00000001')
  lines.cutTo(mark)
  expect(planning.lastMessageId).toBe('00000001')
  expect(planning.isTaken('00000002')).toBe(false)
})

test('I6 a tree that cannot take lines in fails the batch, not only whoever asked for it', () => {
  add('00000001', null)
  const broken = new BatchPlanning(Object.assign(new LogReader(), { pushLines: fail }), lines)
  expect(() => broken.tree).toThrow('no more')
  expect(broken.failure).toEqual({ error: new Error('no more') })
})

function fail(): never {
  throw new Error('no more')
}
