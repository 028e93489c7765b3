import { preview, ROOT } from '@treeline/core'
import type { Session } from '@treeline/store'
import { defineCommand } from '../args/command.ts'
import { limitOption } from '../args/limit-option.ts'
import { type BranchEnd, listEnds } from '../drawing/branch-ends.ts'
import { shortIds } from '../drawing/short-ids.ts'
import { ageText } from '../listing/age.ts'
import { counted, numberText } from '../output/amount.ts'
import { printDocument } from '../output/print-document.ts'
import { shellWord } from '../output/shell-word.ts'
import { paint } from '../output/style.ts'
import { table } from '../output/table.ts'
import { wholeEnd } from '../output/whole-end.ts'
import { openTarget, typedName } from '../target.ts'
import { damageHint } from '../transcript/damage-hint.ts'
import { entryText } from '../transcript/entry-text.ts'

const MAX_ROWS = 50
const PREVIEW_CHARS = 120
const MAX_LABEL = 24
const BATCH = 256

export const command = defineCommand({
  positionals: [
    { name: 'FILE', help: 'the session: a path, an id, or a part of one', optional: true, completes: 'session' },
  ],
  options: {
    limit: {
      type: 'string',
      short: 'n',
      value: 'N',
      help: `at most so many, the latest; 0 for all (${MAX_ROWS}; with --json all)`,
    },
  },
  details:
    'Every end of the tree, the latest first, and inner nodes that have a label or are the leaf. ● is where it goes on.',
  examples: [
    ['treeline branches', 'of the latest session of this project'],
    ['treeline branches 4f2a91c0 --limit 0', 'all of them'],
  ],
  json:
    '{"sessionId","leafId","count","branches":[{"leafId","length","preview","label"?,"isTrunk","isEnd","lastActiveAt"?}]}; ' +
    'isEnd is false for an inner node',
  async run({ args: [file], options, context }) {
    const { out } = context
    const max = limitOption('limit', options.limit, out.isJson ? Number.POSITIVE_INFINITY : MAX_ROWS)
    await using opened = await openTarget(context, file)
    const { session } = opened
    const { tree, leafId } = session
    const ends = listEnds(tree, leafId === null ? ROOT : tree.ids.find(leafId))
    const branches = await describe(session, ends.slice(0, max))
    if (out.isJson) {
      await printDocument(out, { sessionId: session.id, leafId, count: ends.length, branches })
      return 0
    }
    if (ends.length === 0) {
      out.print('The session has no messages yet, so it has no branches.')
      return 0
    }
    const shortId = shortIds(tree)
    const labelChars = Math.min(MAX_LABEL, Math.floor(out.columns / 4))
    const rows = branches.map(({ leafId: id, length, preview: text, label, isTrunk, isEnd, lastActiveAt }) => [
      isTrunk ? '●' : isEnd ? '○' : '·',
      shortId(id),
      numberText(length),
      ageText(lastActiveAt),
      label === undefined ? '' : `#${preview(label, labelChars)}`,
      text,
    ])
    for (const line of table(COLUMNS, rows, out.columns)) out.print(line)
    const left = ends.length - branches.length
    if (left > 0)
      out.print(paint('faint', `${counted(left, 'older branch', 'older branches')} not shown: --limit 0 shows all.`))
    else if (branches[1] !== undefined) {
      const other = branches.find(({ isTrunk }) => !isTrunk) ?? branches[1]
      const [name, node] = [typedName(opened, file), shellWord(shortId(other.leafId))]
      const isOurs = (await context.home()).paths.isSessionFile(opened.path)
      const how = isOurs
        ? wholeEnd(out, 'Go on at another:', `treeline switch ${name} ${node}`)
        : wholeEnd(out, 'Read another:', `treeline show ${name} --leaf ${node}`)
      for (const line of how) out.print(paint('faint', line))
    }
    for (const line of damageHint(opened, file)) out.print(line)
    return 0
  },
})

const COLUMNS = [
  { title: '' },
  { title: 'leaf', style: 'id' },
  { title: 'nodes', align: 'right', spare: 3 },
  { title: 'active', style: 'faint', spare: 2 },
  { title: 'label', style: 'title', spare: 1 },
  { title: 'last message', flexible: true },
] as const

interface Described extends Omit<BranchEnd, 'line' | 'label'> {
  readonly preview: string
  readonly label?: string
  readonly lastActiveAt?: string
}

async function describe(session: Session, ends: readonly BranchEnd[]): Promise<Described[]> {
  const described: Described[] = []
  for (let start = 0; start < ends.length; start += BATCH) {
    const batch = ends.slice(start, start + BATCH)
    const entries = await session.readEntries(batch.map(({ leafId }) => leafId))
    for (const [i, { leafId, length, label, isTrunk, isEnd }] of batch.entries()) {
      const entry = entries[i]
      described.push({
        leafId,
        length,
        preview: entry === undefined ? '' : preview(entryText(entry), PREVIEW_CHARS),
        ...(label !== undefined && { label }),
        isTrunk,
        isEnd,
        ...(typeof entry?.timestamp === 'string' && { lastActiveAt: entry.timestamp }),
      })
    }
  }
  return described
}
