import { listBranches, preview, ROOT } from '@treeline/core'
import { z } from 'zod'
import type { Tool } from '../tool.ts'
import { readableNode } from './readable-node.ts'

const PAGE = 50
const PREVIEW_GRAPHEMES = 100

const input = z.strictObject({
  offset: z.int().min(0).max(10_000_000).optional().describe(`Leave out so many; a page has ${PAGE}`),
})
type Input = z.infer<typeof input>

export const listBranchesTool: Tool<Input> = {
  name: 'list_branches',
  description:
    'List the branches of this conversation, the latest first: the id of the last message, how many messages lead to it, when it was written, how it begins. What was tried elsewhere can be read with read_branch.',
  input,
  effect: 'read',
  isRepeatable: true,
  preview: () => ({ title: 'list_branches' }),
  async run({ offset = 0 }, { session, tipId }) {
    const { tree } = session
    const tip = tipId === null ? ROOT : tree.ids.find(tipId)
    const branches = listBranches(tree, Math.max(ROOT, tip)).sort((a, b) => b.line - a.line)
    const page = branches.slice(offset, offset + PAGE)
    const entries = await session.readEntries(page.map(({ leafId }) => leafId))
    const lines = page.map(({ leafId, length, isTrunk, label }, i) => {
      const node = readableNode(tree, tree.ids.find(leafId), entries[i])
      const said = node.type === 'text' ? preview(node.text, PREVIEW_GRAPHEMES) : `[${node.why}]`
      const named = label === undefined ? '' : ` "${preview(label, PREVIEW_GRAPHEMES)}"`
      const at = entries[i]?.timestamp ?? 'now'
      return `${leafId}${isTrunk ? ' (this branch)' : ''}${named}: ${length} messages, ${at}, ${node.role}: ${said}`
    })
    const left = branches.length - offset - page.length
    if (left > 0) lines.push(`[${left} more: offset ${offset + PAGE}]`)
    if (page.length === 0) lines.push(`[${branches.length} branches, none from ${offset} on]`)
    return { content: [{ type: 'text', text: lines.join('\n') }], details: { count: branches.length } }
  },
}
