import { existsSync } from 'node:fs'
import { defaultHome, type Session, type SessionStore } from '@treeline/store'
import { readWhole } from '../../read-file.ts'
import { findLines } from '../lines.ts'
import { neovateWriter } from '../write.ts'
import { filterMessages } from './filter-messages.ts'
import type { NormalizedMessage } from './normalized-message.ts'
import { isNeovateFile, type LogPlace, useStore } from './open-log.ts'

/**
 * The messages of the active path (N40, N43); none where there is no file. Bad lines are passed over (X2), and of a
 * session of ours, and of a file that was imported, the path is the one it was left on, wherever the last line is (X22).
 *
 * @example
 * const messages = await loadSessionMessages({ logPath: '/home/me/.neovate/projects/app/6a7f9b2c.jsonl' })
 */
export async function loadSessionMessages(from: LogPlace): Promise<NormalizedMessage[]> {
  if (!existsSync(from.logPath)) return []
  const isTheirs = isNeovateFile(from.logPath)
  if (isTheirs && from.store === undefined && !existsSync(from.home ?? defaultHome())) return readTheirs(from.logPath)
  await using used = await useStore(from)
  const path = isTheirs ? await findImport(used.store, from.logPath) : from.logPath
  if (path === undefined) return readTheirs(from.logPath)
  await using session = await used.store.openPath(path, { readOnly: true })
  return filterMessages(await readMessages(session, 'trunk'))
}

/** To look is no reason to import a file. One that was imported goes on there, with what its tool has added since. */
async function findImport(store: SessionStore, path: string): Promise<string | undefined> {
  // Loaded when there is something to import: it knows the formats of all tools.
  const { importAgain } = await import('../../import/import-session.ts')
  return (await importAgain(store, path, { format: 'neovate' }))?.path
}

function readTheirs(path: string): NormalizedMessage[] {
  const lines = findLines(readWhole(path))
  return filterMessages(lines.flatMap(({ value }) => (value === undefined ? [] : [value]))).filter(isNormal)
}

/** A session of ours as messages of Neovate's, in the order of the log. */
export async function readMessages(session: Session, branches: 'trunk' | 'all'): Promise<NormalizedMessage[]> {
  if (branches === 'trunk' && session.leafId === null) return []
  const messages: NormalizedMessage[] = []
  await neovateWriter.write(
    session,
    (text) => {
      const line: unknown = JSON.parse(text)
      if (isNormal(line)) messages.push(line)
    },
    { branches },
  )
  return messages
}

/** What a program may rely on; other lines are of no use to it. */
function isNormal(line: unknown): line is NormalizedMessage {
  if (typeof line !== 'object' || line === null) return false
  const { type, uuid, role, content } = line as Readonly<Record<string, unknown>>
  const hasContent = typeof content === 'string' || Array.isArray(content)
  return type === 'message' && typeof uuid === 'string' && typeof role === 'string' && hasContent
}
