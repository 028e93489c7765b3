import { TreelineError } from '@treeline/core'
import { loadWriter, type WriterName } from '@treeline/formats'
import type { Routes } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import type { Asking, Handler } from '../../http/handler.ts'
import { refOfNode } from '../tree/find-node.ts'
import { DOWNLOAD } from './download.ts'
import { enabledOnly } from './enabled-only.ts'
import { writeTextTranscript } from './text-transcript.ts'
import { type Write, writtenStream } from './written-stream.ts'

type Export = Routes['exportSession']
type Query = Asking<Export>['query']

const TYPES: Readonly<Record<Query['format'], { readonly type: string; readonly ending: string }>> = {
  json: { type: 'application/json; charset=utf-8', ending: 'json' },
  jsonl: { type: 'application/x-ndjson; charset=utf-8', ending: 'jsonl' },
  markdown: { type: 'text/markdown; charset=utf-8', ending: 'md' },
  text: { type: 'text/plain; charset=utf-8', ending: 'txt' },
  html: { type: 'text/html; charset=utf-8', ending: 'html' },
}

/** A session as a file to keep, written as it is read. The browser never shows it as a page of ours (K4). */
export const exportSession: Handler<Export> = async ({ hub }, { params, query }) => {
  const lease = await hub.acquire(params.sessionId)
  const { session } = lease.live
  try {
    const { type, ending } = TYPES[query.format]
    const version = session.seq
    const write = await writing(session, query)
    const body = await writtenStream(write, () => lease[Symbol.dispose]())
    const headers = { ...DOWNLOAD, 'content-disposition': `attachment; filename="${session.id}.${ending}"` }
    return { status: 200, version, type, headers, body }
  } catch (error) {
    lease[Symbol.dispose]()
    throw error
  }
}

async function writing(session: Session, { format, scope, enabledOnly: isEnabledOnly }: Query): Promise<Write> {
  const leafId = leafOf(session, scope)
  const branches = scope === 'tree' ? 'all' : 'trunk'
  if (isEnabledOnly && format === 'jsonl' && branches === 'all') {
    const message = 'The whole log holds what is muted too. Take `scope=trunk` with it, or another format.'
    throw new TreelineError('validation_failed', message)
  }
  const writer = format === 'text' ? undefined : await loadWriter(format satisfies WriterName)
  return async (sink) => {
    const task = async (shown: Session, end: string | null): Promise<void> => {
      if (writer === undefined) await writeTextTranscript(shown, sink, end)
      else await writer.write(shown, sink, { leafId: end, branches })
    }
    if (isEnabledOnly) await enabledOnly(session, { leafId, branches }, (shown) => task(shown, shown.leafId))
    else await task(session, leafId)
  }
}

/** `node:<id>` is the path that ends there. */
function leafOf(session: Session, scope: string): string | null {
  if (!scope.startsWith('node:')) return session.leafId
  const nodeId = scope.slice('node:'.length)
  refOfNode(session.tree, nodeId)
  return nodeId
}
