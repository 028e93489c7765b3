import { type AgentMessage, commonAncestor, type Entry, estimateMessageTokens, nodePath, ROOT } from '@treeline/core'
import type { Session } from '@treeline/store'
import { nameOf } from '../drawing/entry-names.ts'
import { entryText } from '../transcript/entry-text.ts'

const BATCH = 256

export interface ComparedNode {
  readonly id: string
  readonly type: string
  readonly role?: string
  readonly text: string
  /** An estimate. */
  readonly tokens: number
}

/** What one branch has that the other has not. */
export interface Side {
  readonly leafId: string
  readonly nodes: readonly ComparedNode[]
  readonly tokens: number
  /** In US dollars, as recorded. */
  readonly cost: number
  /** `provider/model` of the answers, in the order they came in. */
  readonly models: readonly string[]
}

export interface Comparison {
  /** The last node they share; `null` when they share none. */
  readonly ancestorId: string | null
  readonly a: Side
  readonly b: Side
}

export async function compareBranches(session: Session, a: string, b: string): Promise<Comparison> {
  const { tree } = session
  const [left, right] = [tree.ids.find(a), tree.ids.find(b)]
  const ancestor = commonAncestor(tree, left, right)
  const shared = ancestor === ROOT ? 0 : nodePath(tree, ancestor).length
  return {
    ancestorId: ancestor === ROOT ? null : tree.ids.textOf(ancestor),
    a: await readSide(session, a, nodePath(tree, left).slice(shared)),
    b: await readSide(session, b, nodePath(tree, right).slice(shared)),
  }
}

async function readSide(session: Session, leafId: string, refs: readonly number[]): Promise<Side> {
  const { tree } = session
  const nodes: ComparedNode[] = []
  const models = new Set<string>()
  let cost = 0
  for (let start = 0; start < refs.length; start += BATCH) {
    const batch = refs.slice(start, start + BATCH)
    const entries = await session.readEntries(batch.map((ref) => tree.ids.textOf(ref)))
    for (const [i, ref] of batch.entries()) {
      const entry = entries[i]
      const { type, role } = nameOf(tree, ref) ?? { type: entry?.type ?? 'other', role: undefined }
      const text = entry === undefined ? '' : entryText(entry)
      const tokens = entry === undefined ? 0 : tokensOf(entry)
      nodes.push({ id: tree.ids.textOf(ref), type, ...(role !== undefined && { role }), text, tokens })
      const model = entry && modelOf(entry)
      if (model !== undefined) models.add(model)
      cost += entry === undefined ? 0 : costOf(entry)
    }
  }
  const tokens = nodes.reduce((sum, node) => sum + node.tokens, 0)
  return { leafId, nodes, tokens, cost, models: [...models] }
}

/** Of a node that is no message, as if it were one: its summary or its content. */
function tokensOf(entry: Entry): number {
  const { content, summary } = entry
  const message = entry.type === 'message' ? entry.message : { role: 'user', content: summary ?? content }
  return typeof message === 'object' && message !== null ? estimateMessageTokens(message as AgentMessage) : 0
}

function modelOf({ message }: Entry): string | undefined {
  const { provider, model } = (message ?? {}) as { readonly provider?: unknown; readonly model?: unknown }
  if (typeof model !== 'string') return undefined
  return typeof provider === 'string' ? `${provider}/${model}` : model
}

/** What the tool that wrote it recorded, of the message and of the entry itself (a summary has a price too). */
function costOf(entry: Entry): number {
  let cost = 0
  for (const holder of [entry, entry.message]) {
    const { usage } = (holder ?? {}) as {
      readonly usage?: { readonly cost?: { readonly total?: unknown } | null } | null
    }
    const total = usage?.cost?.total
    if (typeof total === 'number' && Number.isFinite(total)) cost += total
  }
  return cost
}
