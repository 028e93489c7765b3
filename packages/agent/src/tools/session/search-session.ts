import { attachedNodes, type Entry, ROOT, type Tree, TreelineError } from '@treeline/core'
import { z } from 'zod'
import type { Tool } from '../tool.ts'
import { visibleLine } from '../visible-text.ts'
import { type Readable, readableNode } from './readable-node.ts'

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 100
/** Characters of messages that one call looks through. */
const MAX_CHARS = 64 * 1024 * 1024
const BEFORE_CHARS = 80
const AFTER_CHARS = 160

const input = z.strictObject({
  query: z.string().min(1).max(500).describe('Plain text, without regard to case'),
  afterId: z.string().min(1).max(128).optional().describe('Go on behind this message, in the order they were written'),
  limit: z.int().min(1).max(MAX_LIMIT).optional().describe(`At most so many messages, ${DEFAULT_LIMIT} by default`),
})
type Input = z.infer<typeof input>

export const searchSessionTool: Tool<Input> = {
  name: 'search_session',
  description:
    'Search the messages of all branches of this conversation, oldest first, also those no longer in your context. Gives ids for read_branch.',
  input,
  effect: 'read',
  isRepeatable: true,
  preview: ({ query }) => ({ title: `search_session ${visibleLine(query)}` }),
  async run({ query, afterId, limit = DEFAULT_LIMIT }, { session, tipId, signal }) {
    const { tree } = session
    if (afterId !== undefined && tree.ids.find(afterId) <= ROOT) {
      throw new TreelineError('node_not_found', `There is no message ${visibleLine(afterId)} here.`)
    }
    const attached = findAttached(tree)
    const sought = query.toLowerCase()
    const lines: string[] = []
    let isBehind = afterId === undefined
    let looked = 0
    let lastId = ''
    let isEnd = true
    for await (const entry of session.entries()) {
      signal.throwIfAborted()
      const isStart = entry.id === afterId
      const node = isBehind && entry.id !== tipId ? findReadable(tree, attached, entry) : undefined
      isBehind ||= isStart
      if (node?.type !== 'text') continue
      const at = node.text.toLowerCase().indexOf(sought)
      if (at >= 0) lines.push(`${entry.id} ${node.role} ${entry.timestamp}: ${snippet(node.text, at, sought.length)}`)
      looked += node.text.length
      lastId = entry.id
      isEnd = lines.length < limit && looked < MAX_CHARS
      if (!isEnd) break
    }
    if (!isEnd) lines.push(`[there may be more: afterId ${lastId}]`)
    else if (lines.length === 0) lines.push('[nothing found]')
    return { content: [{ type: 'text', text: lines.join('\n') }], details: { isEnd } }
  },
}

/** By ref. Asked for each node alone, its whole path would be walked. */
function findAttached(tree: Tree): Uint8Array {
  const attached = new Uint8Array(tree.ids.count)
  for (const ref of attachedNodes(tree)) attached[ref] = 1
  return attached
}

/** `undefined` for what is no node of the tree: edits, what was pruned, what came meanwhile. */
function findReadable(tree: Tree, attached: Uint8Array, entry: Entry): Readable | undefined {
  const ref = tree.ids.find(entry.id)
  return attached[ref] === 1 ? readableNode(tree, ref, entry) : undefined
}

function snippet(text: string, at: number, length: number): string {
  const start = Math.max(0, at - BEFORE_CHARS)
  const end = Math.min(text.length, at + length + AFTER_CHARS)
  const shown = text.slice(start, end).toWellFormed().replace(/\s+/g, ' ').trim()
  return `${start > 0 ? '…' : ''}${shown}${end < text.length ? '…' : ''}`
}
