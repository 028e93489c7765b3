import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFileStore, openMemoryStore, type Session, type SessionStore } from '@treeline/store'

/** A real store of each kind, for the length of one test. */
export const stores = ['memory', 'file'] as const

export async function openStore(kind: (typeof stores)[number]): Promise<SessionStore & AsyncDisposable> {
  if (kind === 'memory') return openMemoryStore()
  const home = await mkdtemp(join(tmpdir(), 'treeline-summary-'))
  const store = await openFileStore({ home })
  const dispose = store[Symbol.asyncDispose].bind(store)
  return Object.assign(store, {
    async [Symbol.asyncDispose]() {
      await dispose()
      await rm(home, { recursive: true, force: true })
    },
  })
}

/** Says things by turns: `u…` a person, `a…` an assistant that answers; each is the id and, by default, the words. */
export async function converse(session: Session, ...ids: string[]): Promise<void> {
  for (const id of ids) await (id.startsWith('u') ? ask(session, id) : answer(session, id))
}

export function ask(session: Session, id: string, content: unknown = `says ${id}`): Promise<unknown> {
  return session.append({ type: 'message', id, message: { role: 'user', content, timestamp: 1 } })
}

export function answer(session: Session, id: string, text = `says ${id}`, more: object = {}): Promise<unknown> {
  const content = [{ type: 'text', text }]
  const message = { role: 'assistant', content, provider: 'p', model: 'm', stopReason: 'stop', timestamp: 1, ...more }
  return session.append({ type: 'message', id, message })
}

/** An answer that calls one tool, and what came of it. */
export async function callTool(
  session: Session,
  id: string,
  call: { readonly name: string; readonly arguments: object },
  result: { readonly text?: string; readonly isError?: boolean } = {},
): Promise<void> {
  const content = [{ type: 'toolCall', id: `call-${id}`, ...call }]
  await session.append({
    type: 'message',
    id,
    message: { role: 'assistant', content, stopReason: 'toolUse', timestamp: 1 },
  })
  const { text = 'done', isError = false } = result
  const output = [{ type: 'text', text }]
  const message = { role: 'toolResult', toolCallId: `call-${id}`, toolName: call.name, content: output, isError }
  await session.append({ type: 'message', id: `${id}r`, message })
}

/** Nodes from the root to the leaf. */
export async function trunkOf(session: Session): Promise<string[]> {
  return (await session.line()).nodes.map(({ nodeId }) => nodeId)
}

/** What the model would be sent, to the byte. */
export async function lineBytes(session: Session): Promise<string> {
  return JSON.stringify(await session.line())
}
