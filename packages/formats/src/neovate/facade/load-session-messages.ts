import { existsSync } from 'node:fs'
import type { Session } from '@treeline/store'
import { readWhole } from '../../read-file.ts'
import { findLines } from '../lines.ts'
import { neovateWriter } from '../write.ts'
import { filterMessages } from './filter-messages.ts'
import type { NormalizedMessage } from './normalized-message.ts'
import { isNeovateFile, type LogPlace, useStore } from './open-log.ts'

/**
 * The messages of the active path (N40, N43); none where there is no file. Bad lines are passed over (X2), and of a
 * session of ours the path is the one it was left on, wherever the last line is (X22).
 *
 * @example
 * const messages = await loadSessionMessages({ logPath: '/home/me/.neovate/projects/app/6a7f9b2c.jsonl' })
 */
export async function loadSessionMessages(from: LogPlace): Promise<NormalizedMessage[]> {
  if (!existsSync(from.logPath)) return []
  if (isNeovateFile(from.logPath)) {
    const lines = findLines(readWhole(from.logPath))
    return filterMessages(lines.flatMap(({ value }) => (value === undefined ? [] : [value]))).filter(isNormal)
  }
  await using using = await useStore(from)
  await using session = await using.store.openPath(from.logPath, { readOnly: true })
  return filterMessages(await readMessages(session, 'trunk'))
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
