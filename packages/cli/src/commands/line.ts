import { describeToolCall, estimateTokens, type Line, type LineMessage, type LinePart } from '@treeline/core'
import type { Session } from '@treeline/store'
import { defineCommand } from '../args/command.ts'
import { limitOption } from '../args/limit-option.ts'
import { wordOf } from '../drawing/entry-names.ts'
import { shortIds } from '../drawing/short-ids.ts'
import { findLeaf, leafOption } from '../leaf-option.ts'
import { counted } from '../output/amount.ts'
import { printDocument } from '../output/print-document.ts'
import { paint } from '../output/style.ts'
import { table } from '../output/table.ts'
import { tokensText } from '../stats/figures.ts'
import { openTarget, typedName } from '../target.ts'
import { damageHint } from '../transcript/damage-hint.ts'
import { entryText } from '../transcript/entry-text.ts'
import { reasonJson, reasonText } from '../transcript/line-reasons.ts'
import { messageLines } from '../transcript/message-lines.ts'
import { resolveLine, unresolvedText } from '../transcript/resolve-images.ts'

const MAX_ROWS = 50

export const command = defineCommand({
  positionals: [
    { name: 'FILE', help: 'the session: a path, an id, or a part of one', optional: true, completes: 'session' },
  ],
  options: {
    ...leafOption,
    full: { type: 'boolean', help: 'the messages in full' },
    limit: {
      type: 'string',
      short: 'n',
      value: 'N',
      help: `at most so many messages and nodes, the last ones; 0 for all (${MAX_ROWS})`,
    },
  },
  details:
    'What a model would get if the conversation went on here: the trunk without what is muted or compacted, repaired so that ' +
    'every provider accepts it; and for each node of the trunk whether it is in, and why.',
  examples: [
    ['treeline line', 'of the latest session of this project'],
    ['treeline line 4f2a91c0 --leaf 1a2b3c4d', 'what it would be on another branch'],
    ['treeline line 4f2a91c0 --full', 'word for word'],
  ],
  json:
    '{"sessionId","leafId","messages":[{"role","content":[…],"nodeIds":[…]}],' +
    '"nodes":[{"id","in","reason"}],"tokens"}; reason is null for what is in as it is; tokens are an estimate',
  async run({ args: [file], options, context }) {
    const { out } = context
    const max = limitOption('limit', options.limit, MAX_ROWS)
    await using opened = await openTarget(context, file)
    const { session } = opened
    const leafId = findLeaf(session, options.leaf, typedName(opened, file))
    const line = await session.line({ leafId, full: true })
    const { messages, unresolved } = await resolveLine(session, line.messages)
    if (unresolved > 0) out.note(paint('warn', unresolvedText(unresolved)))
    const tokens = estimateTokens(messages)
    if (out.isJson) {
      const nodes = line.nodes.map(reasonJson)
      await printDocument(out, { sessionId: session.id, leafId, messages, nodes, tokens })
      return 0
    }
    if (line.nodes.length === 0) {
      out.print('There is nothing to send yet: no message leads here.')
      for (const text of damageHint(opened, file)) out.print(text)
      return 0
    }
    for (const text of options.full ? fullLines(messages) : messageTable(messages, max, out.columns)) out.print(text)
    out.print()
    for await (const text of nodeTable(session, line, max, out.columns)) out.print(text)
    out.print()
    for (const text of totals(line, tokens)) out.print(text)
    for (const text of damageHint(opened, file)) out.print(text)
    return 0
  },
})

function* messageTable(messages: readonly LineMessage[], max: number, columns: number): Generator<string> {
  const from = Math.max(0, messages.length - max)
  if (from > 0) yield paint('faint', `${counted(from, 'earlier message')} not shown: --limit 0 shows all.`)
  const rows = messages
    .slice(from)
    .map((message, i) => [
      String(from + i + 1),
      message.role,
      tokensText(estimateTokens([message])),
      (message.content as readonly LinePart[]).map(partText).join(' '),
    ])
  yield* table(
    [
      { title: '#', align: 'right', style: 'faint' },
      { title: 'message', style: 'role' },
      { title: '~tokens', align: 'right', spare: 1 },
      { title: 'text', flexible: true },
    ],
    rows,
    columns,
  )
}

function partText(part: LinePart): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'reasoning':
      return ''
    case 'image':
      return '[image]'
    case 'tool_call':
      return describeToolCall(part.name, part.input)
    case 'tool_result':
      return part.output.map(partText).join(' ')
  }
}

function* fullLines(messages: readonly LineMessage[]): Generator<string> {
  for (const message of messages) {
    yield paint('role', message.role)
    yield* messageLines(message, { full: true })
    yield ''
  }
}

async function* nodeTable(session: Session, { nodes }: Line, max: number, columns: number): AsyncGenerator<string> {
  const { tree } = session
  const from = Math.max(0, nodes.length - max)
  const shown = nodes.slice(from)
  if (from > 0) yield paint('faint', `${counted(from, 'earlier node')} not shown: --limit 0 shows all.`)
  const entries = await session.readEntries(shown.map(({ nodeId }) => nodeId))
  const shortId = shortIds(tree)
  const rows = shown.map((node, i) => [
    node.in ? 'in' : 'out',
    shortId(node.nodeId),
    wordOf(tree, tree.ids.find(node.nodeId)),
    reasonText(node),
    entries[i] === undefined ? '' : entryText(entries[i]),
  ])
  yield* table(
    [
      { title: '' },
      { title: 'node', style: 'id' },
      { title: 'type', style: 'role', spare: 1 },
      { title: 'why', style: 'warn' },
      { title: 'text', flexible: true },
    ],
    rows,
    columns,
  )
}

function* totals({ messages, nodes, state }: Line, tokens: number): Generator<string> {
  const sent = nodes.filter((node) => node.in).length
  const reasons = new Map<string, number>()
  for (const node of nodes) if (!node.in) reasons.set(reasonText(node), (reasons.get(reasonText(node)) ?? 0) + 1)
  const out = [...reasons].map(([reason, count]) => `${count} ${reason}`).join(', ')
  const model = state.model === null ? 'no model chosen yet' : `for ${state.model.provider}/${state.model.modelId}`
  yield `${paint('strong', counted(messages.length, 'message'))}, about ${counted(tokens, 'token')} (an estimate), ${model}`
  yield `${counted(sent, 'node')} in, ${nodes.length - sent} out${out === '' ? '' : `: ${out}`}`
}
