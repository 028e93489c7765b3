import { Flag, nodePath, ROOT, type Tree, TreelineError } from '@treeline/core'
import { z } from 'zod'
import { MAX_MODEL_BYTES, ROOM_BYTES } from '../limit-output.ts'
import type { Tool } from '../tool.ts'
import { visibleLine } from '../visible-text.ts'
import { readableNode } from './readable-node.ts'

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 200
/** For the heads of the messages. */
const HEAD_BYTES = 120

const id = z.string().min(1).max(128)
const input = z.strictObject({
  toId: id.optional().describe('The last message of the branch, or any message on it; by default this conversation'),
  fromId: id.optional().describe('Begin at this message, which leads to toId'),
  offset: z
    .int()
    .min(0)
    .max(10_000_000)
    .optional()
    .describe('Leave out so many from the beginning; by default the last are shown'),
  limit: z
    .int()
    .min(1)
    .max(MAX_LIMIT)
    .optional()
    .describe(`How many messages, ${DEFAULT_LIMIT} by default; fewer are shown longer`),
})
type Input = z.infer<typeof input>

export const readBranchTool: Tool<Input> = {
  name: 'read_branch',
  description:
    'Read messages of a branch of this conversation, also such as are no longer in your context. list_branches and search_session give the ids.',
  input,
  effect: 'read',
  isRepeatable: true,
  preview: ({ toId }) => ({ title: `read_branch${toId === undefined ? '' : ` ${visibleLine(toId)}`}` }),
  async run({ toId, fromId, offset, limit = DEFAULT_LIMIT }, { session, tipId }) {
    const { tree } = session
    const end = toId ?? tipId
    const path = end === null ? [] : nodePath(tree, findNode(tree, end))
    const first = fromId === undefined ? 0 : path.indexOf(findNode(tree, fromId))
    if (first < 0) throw new TreelineError('bad_request', `${fromId} does not lead to ${end}. Use list_branches.`)
    const stretch = path.slice(first)
    const start = offset ?? Math.max(0, stretch.length - limit)
    const page = stretch.slice(start, start + limit)
    const entries = await session.readEntries(page.map((ref) => tree.ids.textOf(ref)))
    const room = Math.floor((MAX_MODEL_BYTES - ROOM_BYTES) / Math.max(1, page.length)) - HEAD_BYTES
    const parts = page.map((ref, i) => {
      const entry = entries[i]
      const node = readableNode(tree, ref, entry)
      const text = node.type === 'text' ? cut(node.text, room) : `[${node.why}]`
      return `--- ${tree.ids.textOf(ref)} ${node.role} ${entry?.timestamp ?? ''}\n${text}`
    })
    const note = `[messages ${start + 1} to ${start + page.length} of ${stretch.length}; offset and limit give others]`
    const text = page.length === 0 ? `[${stretch.length} messages, none from ${start} on]` : [...parts, note].join('\n')
    return { content: [{ type: 'text', text }], details: { count: page.length, total: stretch.length } }
  },
}

function findNode(tree: Tree, nodeId: string): number {
  const ref = tree.ids.find(nodeId)
  const { columns } = tree
  const node = ref > ROOT && columns.has(ref, Flag.known) ? columns.ownerOf(ref) : ROOT
  if (node > ROOT && columns.isAttached(node)) return node
  throw new TreelineError('node_not_found', `There is no message ${visibleLine(nodeId)} here. Use list_branches.`)
}

/** To so many bytes, roughly: never more. */
function cut(text: string, maxBytes: number): string {
  const bytes = Buffer.byteLength(text)
  if (bytes <= maxBytes) return text
  const note = `\n[… ${bytes} bytes in all]`
  const kept = Buffer.from(text).subarray(0, Math.max(0, maxBytes - note.length - 4))
  return kept.toString().replace(/\ufffd$/, '') + note
}
