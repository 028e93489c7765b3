import { nodePath } from '@treeline/core'
import { openMemoryStore, type Session } from '@treeline/store'
import { createFrom } from '../../create-from.ts'
import type { Translation, WriteOptions } from '../../format.ts'
import type { FormatNote } from '../../note.ts'
import { readNeovate } from '../read.ts'
import { neovateWriter } from '../write.ts'

export function toBytes(lines: readonly (object | string)[]): Uint8Array {
  const text = lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('')
  return new TextEncoder().encode(text)
}

/** A Neovate file as a session, in memory. */
export async function openTranslated(bytes: Uint8Array): Promise<AsyncDisposable & Opened> {
  const translation = readNeovate({ path: '/somewhere/6a7f9b2c.jsonl', bytes })
  const store = await openMemoryStore()
  const session = await createFrom(store, translation)
  return { translation, session, [Symbol.asyncDispose]: () => store.close() }
}

export interface Opened {
  readonly translation: Translation
  readonly session: Session
}

export interface Written {
  readonly text: string
  readonly records: readonly Record<string, unknown>[]
  readonly notes: readonly FormatNote[]
}

export async function writeOut(session: Session, options: WriteOptions = {}): Promise<Written> {
  let text = ''
  const sink = (piece: string): void => {
    text += piece
  }
  const notes = await neovateWriter.write(session, sink, options)
  return {
    text,
    records: text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
    notes,
  }
}

/** Ids of the trunk, root first. */
export function trunkIds({ tree, leafId }: Session): string[] {
  return leafId === null ? [] : nodePath(tree, tree.ids.find(leafId)).map((ref) => tree.ids.textOf(ref))
}

export function message(uuid: string, parentUuid: string | null, fields: object = {}): Record<string, unknown> {
  return {
    parentUuid,
    uuid,
    role: 'user',
    content: uuid,
    ...fields,
    type: 'message',
    timestamp: '2025-01-15T10:00:00.000Z',
    sessionId: '6a7f9b2c',
  }
}
