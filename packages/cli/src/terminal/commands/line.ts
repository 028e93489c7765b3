import type { RequestPreview } from '@treeline/agent'
import { estimateTokens, type LineMessage, type LineNode } from '@treeline/core'
import { wordOf } from '../../drawing/entry-names.ts'
import { shortIds } from '../../drawing/short-ids.ts'
import { counted } from '../../output/amount.ts'
import { costText, tokensText } from '../../stats/figures.ts'
import { entryText } from '../../transcript/entry-text.ts'
import { reasonText } from '../../transcript/line-reasons.ts'
import { messageLines } from '../../transcript/message-lines.ts'
import type { ChatActions } from '../chat-actions.ts'
import { plainTable } from './plain-table.ts'
import type { SlashCommand } from './slash-command.ts'

const MAX_MESSAGES = 20
const MAX_NODES = 10

export const lineCommand: SlashCommand = {
  name: 'line',
  help: 'what the model gets, how much, what not and why',
  async run(actions) {
    const preview = await actions.agent.preview(actions.session)
    const { messages, nodes } = preview.line
    const told = nodes.filter((node) => reasonText(node) !== '')
    const parts = [messageTable(actions, messages), await nodeTable(actions, told), totals(preview)]
    actions.show(parts.filter((part) => part !== '').join('\n\n'))
  },
}

function messageTable(actions: ChatActions, messages: readonly LineMessage[]): string {
  if (messages.length === 0) return ''
  const columns = [
    { title: '#', align: 'right' },
    { title: 'in' },
    { title: '~tokens', align: 'right' },
    { title: 'text', flexible: true },
  ] as const
  const from = Math.max(0, messages.length - MAX_MESSAGES)
  const rows = messages
    .slice(from)
    .map((message, i) => [
      String(from + i + 1),
      message.role,
      tokensText(estimateTokens([message])),
      [...messageLines(message, { full: false })].map((text) => text.trim()).join(' '),
    ])
  const more = from > 0 ? `${counted(from, 'earlier message')} not shown.\n` : ''
  return `${more}${plainTable(actions, columns, rows)}`
}

/** What is out, and what is in otherwise than it was said. */
async function nodeTable(actions: ChatActions, nodes: readonly LineNode[]): Promise<string> {
  if (nodes.length === 0) return ''
  const { session } = actions
  const shown = nodes.slice(-MAX_NODES)
  const entries = await session.readEntries(shown.map(({ nodeId }) => nodeId))
  const { tree } = session
  const shortId = shortIds(tree)
  const columns = [
    { title: '' },
    { title: 'node' },
    { title: 'type' },
    { title: 'why' },
    { title: 'text', flexible: true },
  ] as const
  const rows = shown.map((node, i) => [
    node.in ? 'in' : 'out',
    shortId(node.nodeId),
    wordOf(tree, tree.ids.find(node.nodeId)),
    reasonText(node),
    entries[i] === undefined ? '' : entryText(entries[i]),
  ])
  const left = nodes.length - shown.length
  const more = left > 0 ? `${counted(left, 'earlier node')} not shown.\n` : ''
  return `${more}${plainTable(actions, columns, rows)}`
}

function totals({ line: { messages, nodes }, size, model, cost }: RequestPreview): string {
  const { contextWindow } = model.info
  const percent = Math.round((size.tokens / contextWindow) * 100)
  const out = nodes.filter((node) => !node.in).length
  const price = cost === undefined ? 'price not known' : cost === 0 ? 'free' : `${costText(cost)} to send`
  const window = `about ${tokensText(size.tokens)} of ${tokensText(contextWindow)} tokens (${percent} %)`
  return `${counted(messages.length, 'message')}, ${window}, ${price}, for ${model.ref}; ${counted(out, 'node')} out`
}
