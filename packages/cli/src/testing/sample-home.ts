import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '@treeline/core'
import { openFileStore } from '@treeline/store'
import { tempFolder } from './run-treeline.ts'

export interface SampleHome {
  readonly home: string
  readonly cwd: string
  readonly sessionId: string
  /** As it is shown. */
  readonly id: string
  readonly path: string
}

export interface SampleOptions {
  /** What the first prompt says. */
  readonly prompt?: string
  readonly sessionId?: string
  readonly home?: string
  readonly at?: string
}

/**
 * A home with one session of two branches:
 *
 *     ask00001 user ── rep00001 assistant ┬─ ask00002 ── rep00002        a long answer
 *                                         └─ ask00003 ── rep00003        the leaf
 */
export async function sampleHome(options: SampleOptions = {}): Promise<SampleHome> {
  const { prompt = 'Where does the parser stop?', at = '2026-01-02T03:04:05.000Z' } = options
  const cwd = tempFolder()
  const home = options.home ?? join(cwd, '.treeline-home')
  const project = join(cwd, 'project')
  mkdirSync(project)
  await using store = await openFileStore({ home })
  const entries = [
    said('ask00001', null, 'user', prompt, at),
    said('rep00001', 'ask00001', 'assistant', 'At the first bad line.', at),
    said('ask00002', 'rep00001', 'user', 'Make it go on.', at),
    said('rep00002', 'ask00002', 'assistant', 'It goes on now. '.repeat(40), at),
    said('ask00003', 'rep00001', 'user', 'Why the first?', at),
    said('rep00003', 'ask00003', 'assistant', 'Because nobody caught the error.', at),
  ]
  const { sessionId: id } = options
  await using session = await store.create({ cwd: project, createdAt: at, entries, ...(id !== undefined && { id }) })
  return { home, cwd: project, sessionId: session.id, id: session.id.slice(-8), path: session.path }
}

/** One message as it is stored. */
export function said(
  id: string,
  parentId: string | null,
  role: 'user' | 'assistant',
  text: string,
  timestamp = '2026-01-02T03:04:05.000Z',
): Entry {
  const content = [{ type: 'text', text }]
  const about = role === 'user' ? {} : { provider: 'demo', model: 'demo', stopReason: 'stop' }
  return {
    type: 'message',
    id,
    parentId,
    timestamp,
    message: { role, content, ...about, timestamp: Date.parse(timestamp) },
  }
}
