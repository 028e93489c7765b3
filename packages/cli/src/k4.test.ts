import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFileStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { callTreeline } from './testing/call-treeline.ts'
import { sampleHome } from './testing/sample-home.ts'
import { entry, writeLog } from './testing/write-log.ts'

const HOSTILE =
  'evil\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u001b[31m\u009b1m\u009d0;t\u009c\rgone\u202egpj.exe\u2066\u0000\u0008\u007f\u0085x'
/** What our own styles are made of. */
const OURS = new RegExp(`${String.fromCharCode(27)}\\[(?:1|2|22|7|27|3[1-9])m`, 'g')
const DRIVING = /(?![\n\t])\p{Cc}|\p{Bidi_Control}/u

const CALLS = [
  ['ls', '--all'],
  ['search', 'evil'],
  ['show', 'ID'],
  ['show', 'ID', 'ask00001'],
  ['tree', 'ID'],
  ['branches', 'ID'],
  ['line', 'ID'],
  ['context', 'ID'],
  ['diff', 'ID', 'rep00002', 'rep00003'],
  ['stats', 'ID'],
  ['doctor', 'PATH'],
  ['history'],
  ['mute', 'ID', 'ask00001'],
  ['unmute', 'ID', 'ask00001'],
  ['label', 'ID', 'ask00001', HOSTILE],
  ['rename', 'ID', HOSTILE],
  ['undo', 'ID', '--list'],
  ['undo', 'ID'],
  ['redo', 'ID'],
  ['prune', 'ID', 'rep00001'],
  ['fork', 'ID', '--name', HOSTILE],
  ['gc'],
  ['export', 'ID', '-o', 'page.html', '--force'],
  ['export', 'ID', '--markdown'],
  ['import', 'hostile\u001b[31m.jsonl'],
  ['completion', 'sessions'],
  ['trash', 'ID'],
  ['restore'],
  ['tree', HOSTILE.replaceAll('\u0000', '')],
] as const

test('K4 nothing that a session says drives the terminal, whatever command shows it', async () => {
  const { id, path, sessionId, ...at } = await sampleHome({ prompt: HOSTILE })
  {
    await using store = await openFileStore({ home: at.home })
    await using session = await store.open(sessionId)
    await session.rename(HOSTILE)
    await session.setLabel('rep00001', HOSTILE)
  }
  writeFileSync(join(at.cwd, 'hostile\u001b[31m.jsonl'), '{"type":"session"')
  const named = (word: string) => (word === 'ID' ? id : word === 'PATH' ? path : word)
  let shown = 0
  for (const call of CALLS) {
    for (const form of [[], ['--json']]) {
      const isTty = form.length === 0
      const words = [...call.map(named), ...form]
      const ran = await callTreeline(words, { ...at, isTty, env: { NO_COLOR: '' } })
      expect(ran.stdout + ran.stderr, call.join(' ')).not.toBe('')
      if (ran.stdout.includes('evil')) shown++
      expect((ran.stdout + ran.stderr).replace(OURS, ''), call.join(' ')).not.toMatch(DRIVING)
    }
  }
  // Otherwise nothing was tried.
  expect(shown).toBeGreaterThan(20)
})

/** Hostile wherever another tool's file may say something: ids, types, roles, tools, models, labels, reasons. */
function hostileLog(): string {
  const [first, answer] = [`one${HOSTILE}`, `two${HOSTILE}`]
  const call = { type: 'toolCall', id: HOSTILE, name: HOSTILE, arguments: { [HOSTILE]: HOSTILE } }
  const by = { provider: HOSTILE, model: HOSTILE, usage: { input: 1, output: 1, cost: { total: 1 } } }
  return writeLog([
    entry(first, null, { role: 'user', content: HOSTILE }),
    entry(answer, first, { role: 'assistant', ...by, content: [call], stopReason: 'error', errorMessage: HOSTILE }),
    entry('three', answer, { role: 'toolResult', toolCallId: HOSTILE, toolName: HOSTILE, content: HOSTILE }),
    { type: 'model_change', id: 'four', parentId: 'three', role: HOSTILE, ...by, modelId: HOSTILE },
    { type: HOSTILE, id: 'five', parentId: 'four' },
    { type: 'label', id: 'six', parentId: 'five', targetId: first, label: HOSTILE },
    { type: 'compaction', id: 'seven', parentId: 'five', summary: HOSTILE, firstKeptEntryId: HOSTILE },
    { type: 'custom_message', id: 'eight', parentId: 'seven', customType: HOSTILE, content: HOSTILE, display: true },
    entry('nine', 'eight', { role: 'bashExecution', command: HOSTILE, output: HOSTILE, exitCode: 1 }),
    entry('ten', answer, { role: HOSTILE, content: HOSTILE }),
  ])
}

test("K4 nor does anything else that another tool's file holds", async () => {
  const path = hostileLog()
  const calls = [
    ...['tree', 'show', 'line', 'context', 'branches', 'stats', 'doctor', 'fork', 'import'].map((name) => [name, path]),
    ...['ids', 'typed'].map((style) => ['tree', path, '--style', style]),
    ...['show', 'line', 'context'].map((name) => [name, path, '--full']),
    ['show', path, 'two'],
    ['diff', path, 'three', 'ten'],
    ['mute', path, 'one'],
    ['trash', path],
    ['export', path, '--format', 'neovate', '-o', 'x', '--force'],
  ]
  let shown = 0
  for (const call of calls) {
    for (const form of [[], ['--json']]) {
      const ran = await callTreeline([...call, ...form], { isTty: form.length === 0, env: { NO_COLOR: '' } })
      if (ran.stdout.includes('evil')) shown++
      expect.soft((ran.stdout + ran.stderr).replace(OURS, ''), call.join(' ')).not.toMatch(DRIVING)
    }
  }
  expect(shown).toBeGreaterThan(20)
})
