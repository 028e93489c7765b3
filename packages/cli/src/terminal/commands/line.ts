import type { RequestPreview } from '@treeline/agent'
import { estimateTokens, type LineMessage, type LineNode } from '@treeline/core'
import { wordOf } from '../../drawing/entry-names.ts'
import { shortIds } from '../../drawing/short-ids.ts'
import { numberText } from '../../output/amount.ts'
import { messagesText, nodesText } from '../../output/counted-words.ts'
import { t } from '../../output/language.ts'
import { costText, tokensText } from '../../stats/figures.ts'
import { entryText } from '../../transcript/entry-text.ts'
import { reasonText } from '../../transcript/line-reasons.ts'
import { messageLines } from '../../transcript/message-lines.ts'
import type { ChatActions } from '../chat-actions.ts'
import { entryWord } from '../entry-word.ts'
import { plainTable } from './plain-table.ts'
import type { SlashCommand } from './slash-command.ts'

const MAX_MESSAGES = 20
const MAX_NODES = 10

export const lineCommand: SlashCommand = {
  name: 'line',
  help: () => t('what the model gets, how much, what not and why'),
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
    { title: t('role') },
    { title: t('~tokens'), align: 'right' },
    { title: t('text'), flexible: true },
  ] as const
  const from = Math.max(0, messages.length - MAX_MESSAGES)
  const rows = messages
    .slice(from)
    .map((message, i) => [
      String(from + i + 1),
      entryWord(message.role),
      tokensText(estimateTokens([message])),
      [...messageLines(message, { full: false })].map((text) => text.trim()).join(' '),
    ])
  const more = from > 0 ? `${earlier(from)}\n` : ''
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
    { title: t('node') },
    { title: t('type') },
    { title: t('why') },
    { title: t('text'), flexible: true },
  ] as const
  const rows = shown.map((node, i) => [
    node.in ? t('in') : t('left out'),
    shortId(node.nodeId),
    entryWord(wordOf(tree, tree.ids.find(node.nodeId))),
    reasonText(node),
    entries[i] === undefined ? '' : entryText(entries[i]),
  ])
  const left = nodes.length - shown.length
  const more = left > 0 ? `${earlier(left)}\n` : ''
  return `${more}${plainTable(actions, columns, rows)}`
}

function earlier(count: number): string {
  if (count === 1) return t('1 earlier one is not shown.')
  return t('{count} earlier ones are not shown.', { count: numberText(count) })
}

function totals({ line: { messages, nodes }, size, model, cost }: RequestPreview): string {
  const { contextWindow } = model.info
  return t('{messages}, about {tokens} of {window} tokens ({percent} %), {price}, for {model}; {nodes} out', {
    messages: messagesText(messages.length),
    tokens: tokensText(size.tokens),
    window: tokensText(contextWindow),
    percent: Math.round((size.tokens / contextWindow) * 100),
    price: priceText(cost),
    model: model.ref,
    nodes: nodesText(nodes.filter((node) => !node.in).length),
  })
}

function priceText(cost: number | undefined): string {
  if (cost === undefined) return t('price not known')
  return cost === 0 ? t('free') : t('{cost} to send', { cost: costText(cost) })
}
