import { Kind, preview, ROOT, Role, type Tree, textOf } from '@treeline/core'
import { idSchema, type SessionSummary } from '@treeline/protocol'
import type { IndexedSession, Session } from '@treeline/store'
import type { Services } from '../../services.ts'
import { textsOf } from '../../wire/json.ts'
import { timeAtRow } from '../../wire/node-time.ts'
import { modeOf, startOf } from '../../wire/tree-head.ts'

const PREVIEW_CHARS = 200
const NEVER = new Date(0).toISOString()

/**
 * As the index has it, or as it is where somebody here has it open and it is further. `undefined` for a file whose id no
 * client could ask for.
 */
export function toListed(indexed: IndexedSession, { hub, generations }: Services): SessionSummary | undefined {
  const { id } = indexed
  if (id === undefined || !idSchema.safeParse(id).success) return undefined
  const live = hub.peek(id)
  const listed = { ...fromIndex(indexed, id), generating: generations.running(id).length }
  const isBehind = live !== undefined && live.session.seq !== indexed.lastSeq
  return isBehind ? { ...listed, ...fromSession(live.session) } : listed
}

/** As it is, exactly. Whose it is, when it cannot be written here, is for the index to say, which may be long at work. */
export async function summarise({ index, generations }: Services, session: Session): Promise<SessionSummary> {
  const found = session.access.mode === 'write' ? [] : await index.find(session.id)
  const indexed = found.find(({ id }) => id === session.id)
  const prompt = indexed?.firstPrompt ?? (await readFirstPrompt(session))
  return {
    sessionId: session.id,
    ...fromSession(session),
    generating: generations.running(session.id).length,
    preview: preview(prompt, PREVIEW_CHARS),
    cwd: session.header.cwd,
    tool: indexed?.source ?? 'treeline',
  }
}

function fromIndex(indexed: IndexedSession, sessionId: string): Omit<SessionSummary, 'generating'> {
  const { name, firstPrompt, createdAt, lastActiveAt, tags, source, cwd } = indexed
  return {
    sessionId,
    title: name ?? '',
    mode: indexed.isLinear ? 'linear' : 'tree',
    nodeCount: indexed.nodeCount,
    branchCount: indexed.branchCount,
    tags: [...tags],
    starred: indexed.isPinned,
    archived: indexed.isArchived,
    createdAt: createdAt === undefined ? NEVER : startOf(createdAt),
    updatedAt: lastActiveAt ?? createdAt ?? NEVER,
    version: indexed.lastSeq,
    preview: preview(firstPrompt ?? '', PREVIEW_CHARS),
    cwd: cwd ?? '',
    tool: source,
  }
}

function fromSession({ tree, header, name, seq }: Session) {
  const { session } = tree.edits
  const createdAt = startOf(header.timestamp)
  return {
    title: name ?? '',
    mode: modeOf(tree),
    ...countNodes(tree),
    tags: textsOf(session.get('tags')),
    starred: session.get('starred') === true || session.get('pinned') === true,
    archived: session.get('archived') === true,
    createdAt,
    updatedAt: tree.rowCount === 0 ? createdAt : timeAtRow(tree, tree.rowCount - 1),
    version: seq,
  } satisfies Partial<SessionSummary>
}

function countNodes({ columns }: Tree): Pick<SessionSummary, 'nodeCount' | 'branchCount'> {
  let nodeCount = 0
  let branchCount = 0
  for (const ref of columns.subtree(ROOT)) {
    if (ref === ROOT) continue
    nodeCount++
    if (columns.firstChild[ref] === 0) branchCount++
  }
  return { nodeCount, branchCount }
}

async function readFirstPrompt(session: Session): Promise<string> {
  const { heads, rowCount } = session.tree
  for (let row = 0; row < rowCount; row++) {
    if (heads.kind[row] !== Kind.message || heads.role[row] !== Role.user) continue
    const entry = await session.readEntry(session.tree.ids.textOf(session.tree.refAtRow(row)))
    const text = entry === undefined ? '' : textOf(entry)
    if (text.trim() !== '') return text
  }
  return ''
}
