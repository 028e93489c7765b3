import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFileStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { callTreeline } from './testing/call-treeline.ts'
import { sampleHome } from './testing/sample-home.ts'

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
