import { readPartial } from '@treeline/agent'
import { type Entry, Flag } from '@treeline/core'
import type { NodeStatus, Routes } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import type { Handler } from '../../http/handler.ts'
import type { LiveSession } from '../../hub/live-session.ts'
import { contentOf } from '../../wire/node-content.ts'
import { outcomeOf } from '../../wire/node-outcome.ts'
import { refOfNode } from './find-node.ts'

interface Said {
  readonly content: string
  readonly status: NodeStatus
}

export const getContent: Handler<Routes['getContent']> = ({ hub }, { params, query }) =>
  hub.use(params.sessionId, async (live) => {
    const { nodeId: id } = params
    const { content, status } = await readSaid(live, id)
    const from = Math.min(query.from, content.length)
    // Half of a character is sent again with the other half.
    const start = isLowSurrogate(content.charCodeAt(from)) ? Math.max(0, from - 1) : from
    const body = { id, from: start, content: content.slice(start), contentLength: content.length, status }
    return { status: 200, version: live.session.seq, body }
  })

async function readSaid(live: LiveSession, id: string): Promise<Said> {
  const { session } = live
  while (isGenerating(session, id)) {
    const content = live.texts.read(id) ?? (await readKept(session, id))
    // It may have ended meanwhile: then what is kept is gone, and the log has it all.
    if (isGenerating(session, id)) return { content, status: 'generating' }
  }
  const entry = await readWhole(session, id)
  return { content: entry === undefined ? '' : contentOf(entry).content, status: outcomeOf(entry).status }
}

function isGenerating({ tree }: Session, id: string): boolean {
  return tree.columns.has(refOfNode(tree, id), Flag.generating)
}

/** Another process generates it: what that has kept so far, some moments behind. */
async function readKept({ partials }: Session, id: string): Promise<string> {
  const blocks = readPartial((await partials?.read(id)) ?? '')
  return blocks.map((block) => (block.type === 'text' ? block.text : '')).join('')
}

/** With what is too long for the log. */
async function readWhole(session: Session, id: string): Promise<Entry | undefined> {
  const entry = await session.readEntry(id)
  return entry?.treelineFull === undefined ? entry : (await session.readFull(id))?.entry
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
