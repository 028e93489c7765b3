import { expect, test } from 'vitest'
import { plainTable } from './plain-table.ts'
import { recordingChat } from './testing/recording-chat.ts'

const COLUMNS = [{ title: '' }, { title: 'node' }, { title: 'text', flexible: true }] as const
const LONG = 'Every conversation is a tree, and every prompt is a line through it'

test('a row is a line as long as its text has room', async () => {
  const chat = await recordingChat({ env: { COLUMNS: '60', LANG: 'C.UTF-8' } })
  const lines = plainTable(chat, COLUMNS, [['*', '1a2b3c4d', LONG]]).split('\n')
  expect(lines).toEqual(['   node      text', '*  1a2b3c4d  Every conversation is a tree, and every promp…'])
})

test('in a narrow terminal the text stands below', async () => {
  const chat = await recordingChat({ env: { COLUMNS: '40', LANG: 'C.UTF-8' } })
  const rows = [
    ['*', '1a2b3c4d-and-much-more', LONG],
    ['', '99aa00bb', 'short'],
  ]
  expect(plainTable(chat, COLUMNS, rows).split('\n')).toEqual([
    '* 1a2b3c4d-and-much-more',
    '    Every conversation is a tree, and',
    '    every prompt is a line through it',
    '99aa00bb',
    '    short',
  ])
})

test('K4 what a cell holds is one plain line; without Unicode nothing is wider than it was laid out', async () => {
  const chat = await recordingChat({ env: { COLUMNS: '60', LC_ALL: 'C' } })
  const [, line] = plainTable(chat, COLUMNS, [['', 'x', `\u001b[2J${LONG}\n${LONG}`]]).split('\n')
  expect(line).toMatch(/^ {2}x {5}Every conversation [ -~]*~$/)
  expect(line!.length).toBeLessThan(60)
})
