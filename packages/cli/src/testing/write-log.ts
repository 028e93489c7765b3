import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from './run-treeline.ts'

/** A log of version 3 as Pi would write it, in a folder of its own. Entries without a time get one. */
export function writeLog(entries: Iterable<Readonly<Record<string, unknown>>>): string {
  const timestamp = '2026-01-01T00:00:01.000Z'
  const lines = [JSON.stringify({ type: 'session', version: 3, id: 'log', timestamp, cwd: '/p' })]
  for (const entry of entries) lines.push(JSON.stringify({ timestamp, ...entry }))
  const path = join(tempFolder(), 'log.jsonl')
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

/** A message entry. */
export function entry(id: string, parentId: string | null, message: Readonly<Record<string, unknown>>) {
  return { type: 'message', id, parentId, message: { timestamp: 1, ...message } }
}

/** One message after the other, by turns of the user and a model. */
export function* chain(length: number): Generator<Readonly<Record<string, unknown>>> {
  for (let i = 0; i < length; i++) {
    const content = [{ type: 'text', text: `said ${i}` }]
    yield entry(`n${i}`, i === 0 ? null : `n${i - 1}`, { role: i % 2 === 0 ? 'user' : 'assistant', content })
  }
}
