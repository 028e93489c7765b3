import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { tempFolder } from '../testing/run-treeline.ts'
import { widthOf } from './table.ts'
import { wrapMessage } from './wrap-message.ts'

test('words stay whole, and so do commands and lists', () => {
  expect([...wrapMessage('It is gone. Try (`treeline ls --all`), or do not.\n  a list  of it\nEnd', 20)]).toEqual([
    'It is gone. Try',
    '(`treeline ls --all`),',
    'or do not.',
    '  a list  of it',
    'End',
  ])
  expect([...wrapMessage('an ` alone is no command', 12)]).toEqual(['an', '` alone is no command'])
})

test('R2 an error is wrapped for a terminal, and is one line for a program', async () => {
  const words = ['tree', 'no-such-session']
  const shown = await callTreeline(words, { isTty: true })
  const lines = shown.stderr.trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(1)
  expect(lines.every((line) => widthOf(line) <= 80)).toBe(true)
  expect(shown.stderr).toContain('`treeline ls --all`')
  const piped = await callTreeline(words)
  expect(piped.stderr).toBe(`${lines.join(' ')}\n`)
  expect(piped.code).toBe(3)
})

test('so is what a command has to say beside its answer', async () => {
  const cwd = tempFolder()
  writeFileSync(join(cwd, 'a.jsonl'), `${JSON.stringify({ type: 'session', version: 3, id: 'aaaa', cwd: '/p' })}\n`)
  const shown = await callTreeline(['export', 'a.jsonl', '--html', '-o', 'a.html'], { cwd, isTty: true })
  expect(shown.stderr).toMatch(/^worth knowing: /)
  expect(shown.stderr.split('\n').every((line) => widthOf(line) <= 80)).toBe(true)
  const piped = await callTreeline(['export', 'a.jsonl', '--html', '-o', 'b.html'], { cwd })
  expect(piped.stderr.trimEnd()).not.toContain('\n')
  writeFileSync(join(cwd, 'empty.jsonl'), '')
  const found = await callTreeline(['doctor', 'empty.jsonl'], { cwd, isTty: true })
  expect(found.stdout).toMatch(/\n {4}The file holds no entry at all: .*\n {4}\S/)
})
