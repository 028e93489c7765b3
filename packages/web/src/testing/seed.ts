import { randomUUID } from 'node:crypto'
import { type Call, routes } from '@treeline/protocol'

export interface SeedEntry {
  readonly type: string
  readonly id: string
  readonly parentId: string | null
  readonly timestamp: string
  readonly [more: string]: unknown
}

export interface SeedOptions {
  readonly title?: string
  readonly isLinear?: boolean
  readonly muted?: readonly string[]
  readonly leafId?: string
}

const AT = '2026-01-02T03:04:05.000Z'

/** Makes a session of these entries, as if somebody had imported the file. Gives its id. */
export async function seed(call: Call, entries: readonly SeedEntry[], options: SeedOptions = {}): Promise<string> {
  const { title, isLinear = false, muted = [], leafId } = options
  const head = { type: 'session', version: 3, id: randomUUID(), timestamp: AT, cwd: '/project' }
  const data = [head, ...entries].map((line) => `${JSON.stringify(line)}\n`).join('')
  const { sessionId } = await call(routes.importSession, { body: { data, format: 'pi' } })
  const params = { sessionId }
  if (leafId !== undefined) await call(routes.putActiveLeaf, { params, body: { leafId } })
  if (muted.length > 0) {
    await call(routes.putNodesState, { params, body: { nodes: muted.map((id) => ({ id, isEnabled: false })) } })
  }
  if (title !== undefined || isLinear) {
    await call(routes.patchSession, {
      params,
      body: { ...(title !== undefined && { title }), ...(isLinear && { mode: 'linear' }) },
    })
  }
  return sessionId
}

export function said(id: string, parentId: string | null, role: 'user' | 'assistant', text: string): SeedEntry {
  const about = role === 'user' ? {} : { provider: 'demo', model: 'demo', stopReason: 'stop' }
  return message(id, parentId, { role, content: [{ type: 'text', text }], ...about })
}

export function message(id: string, parentId: string | null, what: object): SeedEntry {
  return { type: 'message', id, parentId, timestamp: AT, message: { ...what, timestamp: Date.parse(AT) } }
}

/**
 *     ask ── reply ┬─ left ── left-reply
 *                  └─ right ── right-reply          the leaf
 */
export const TWO_BRANCHES: readonly SeedEntry[] = [
  said('ask', null, 'user', 'Which cache should I use?'),
  said('reply', 'ask', 'assistant', 'It depends on what you **read** most.'),
  said('left', 'reply', 'user', 'Explain LRU.'),
  said('left-reply', 'left', 'assistant', 'It throws out what was used **longest** ago.'),
  said('right', 'reply', 'user', 'Explain LFU.'),
  said('right-reply', 'right', 'assistant', 'It throws out what was used *least* often.'),
]
