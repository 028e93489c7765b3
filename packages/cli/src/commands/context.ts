import {
  type AgentMessage,
  type Dialect,
  estimateMessageTokens,
  preview,
  previewColumns,
  ROOT,
  storedPath,
  type Tree,
} from '@treeline/core'
import type { OpenedFile } from '@treeline/formats'
import { defineCommand } from '../args/command.ts'
import { limitOption } from '../args/limit-option.ts'
import { findLeaf, leafOption } from '../leaf-option.ts'
import { counted } from '../output/amount.ts'
import { printDocument } from '../output/print-document.ts'
import { paint } from '../output/style.ts'
import { table } from '../output/table.ts'
import { tokensText } from '../stats/figures.ts'
import { openTarget, typedName } from '../target.ts'
import { damageHint } from '../transcript/damage-hint.ts'
import { messageLines } from '../transcript/message-lines.ts'
import { messageText } from '../transcript/message-text.ts'
import { resolveStored, unresolvedText } from '../transcript/resolve-images.ts'

const DIALECTS = ['pi', 'xcsh', 'omp', 'treeline'] as const satisfies readonly Dialect[]
const MAX_MESSAGES = 50

export const command = defineCommand({
  positionals: [
    { name: 'FILE', help: 'the session: a path, an id, or a part of one', optional: true, completes: 'session' },
  ],
  options: {
    ...leafOption,
    dialect: { type: 'string', choices: DIALECTS, help: 'whose reading of the file; that of its own tool by default' },
    full: { type: 'boolean', help: 'the messages in full' },
    limit: {
      type: 'string',
      short: 'n',
      value: 'N',
      help: `at most so many messages, the last ones; 0 for all (${MAX_MESSAGES})`,
    },
  },
  details:
    'The messages of a path as they are stored, as the tool itself reads them: edits of Treeline (mute, prune …) do not count ' +
    'here. What a model would get is `treeline line`.',
  examples: [
    ['treeline context session.jsonl', 'as the tool that wrote it reads it'],
    ['treeline context session.jsonl --leaf 1a2b3c4d --dialect xcsh --json', 'another path, as xcsh would read it'],
  ],
  json:
    '{"sessionId","leafId","path":[entry ids, root first],"messages":[as stored],"model":{"provider","modelId"}|null,' +
    '"models":{role:"provider/id"},"thinkingLevel","mode","modeData"?,"injectedTtsrRules"}',
  async run({ args: [file], options, context }) {
    const { out } = context
    const max = limitOption('limit', options.limit, MAX_MESSAGES)
    await using opened = await openTarget(context, file)
    const { session } = opened
    const { tree } = session
    const dialect = (options.dialect as Dialect | undefined) ?? opened.dialect
    const end = dialect === 'treeline' ? session.leafId : lastEntry(tree)
    const leafId = findLeaf({ tree, leafId: end }, options.leaf, typedName(opened, file))
    const read = await session.context({ leafId, dialect, full: true })
    const parts = partsOf(opened)
    const path = idsTo(tree, leafId).filter((id) => !parts.has(id))
    const { messages, unresolved } = await resolveStored(session, read.messages)
    if (unresolved > 0) out.note(paint('warn', unresolvedText(unresolved)))
    const { model, models, thinkingLevel, mode, modeData, injectedTtsrRules } = read
    const state = { model, models, thinkingLevel, mode, modeData, injectedTtsrRules }
    if (out.isJson) {
      await printDocument(out, { sessionId: session.id, leafId, path, messages, ...state })
      return 0
    }
    out.print(
      `${counted(messages.length, 'message')} of ${counted(path.length, 'entry', 'entries')}, root to ${paint('id', preview(leafId ?? 'nothing', 64))}, as ${dialect} reads them`,
    )
    out.print(stateText(state))
    if (messages.length > 0) out.print()
    const shown = messages.slice(Math.max(0, messages.length - max))
    const summary = shown.length === 0 ? [] : summaryLines(shown, messages.length, out.columns)
    for (const line of options.full ? fullLines(shown) : summary) out.print(line)
    const left = messages.length - shown.length
    if (left > 0) out.print(paint('faint', `${counted(left, 'earlier message')} not shown: --limit 0 shows all.`))
    for (const problem of read.problems.slice(0, 10)) {
      out.note(paint('warn', `Entry ${problem.entryId} gave less than it should: ${problem.reason}.`))
    }
    for (const line of damageHint(opened, file)) out.print(line)
    return 0
  },
})

/** Entries that are a part of another one's line in the file, where a tool puts several results into one: no ids of its own. */
function partsOf({ translation, format }: OpenedFile): ReadonlySet<string> {
  const parts = (translation?.entries ?? []).filter((entry) => {
    const line = (entry[format] as { readonly line?: unknown } | undefined)?.line
    return typeof line === 'string' && line !== entry.id
  })
  return new Set(parts.map(({ id }) => id))
}

/** Where the other tools go on: at the last line, whatever it is. */
function lastEntry(tree: Tree): string | null {
  return tree.rowCount === 0 ? null : tree.ids.textOf(tree.refAtRow(tree.rowCount - 1))
}

function idsTo(tree: Tree, leafId: string | null): string[] {
  const path = storedPath(tree, leafId === null ? ROOT : tree.ids.find(leafId))
  return Array.from(path.refs, (ref) => tree.ids.textOf(ref))
}

interface State {
  readonly model: { readonly provider: string; readonly modelId: string } | null
  readonly models: Readonly<Record<string, string>>
  readonly thinkingLevel: string
  readonly mode: string
  readonly injectedTtsrRules: readonly string[]
}

function stateText({ model, models, thinkingLevel, mode, injectedTtsrRules }: State): string {
  const others = Object.entries(models).filter(([role]) => role !== 'default')
  const parts = [
    `model ${model === null ? 'not chosen' : `${model.provider}/${model.modelId}`}`,
    ...others.map(([role, name]) => `${role} ${name}`),
    `thinking ${thinkingLevel}`,
    ...(mode === 'none' ? [] : [`mode ${mode}`]),
    ...(injectedTtsrRules.length === 0 ? [] : [`rules ${injectedTtsrRules.join(', ')}`]),
  ]
  return paint('faint', previewColumns(parts.join('  ·  '), 400))
}

function* summaryLines(messages: readonly AgentMessage[], all: number, columns: number): Generator<string> {
  const rows = messages.map((message, i) => [
    String(all - messages.length + i + 1),
    message.role,
    tokensText(estimateMessageTokens(message)),
    messageText(message),
  ])
  yield* table(
    [
      { title: '#', align: 'right', style: 'faint' },
      { title: 'role', style: 'role' },
      { title: '~tokens', align: 'right', spare: 1 },
      { title: 'text', flexible: true },
    ],
    rows,
    columns,
  )
}

function* fullLines(messages: readonly AgentMessage[]): Generator<string> {
  for (const message of messages) {
    yield paint('role', message.role)
    yield* messageLines(message, { full: true })
    yield ''
  }
}
