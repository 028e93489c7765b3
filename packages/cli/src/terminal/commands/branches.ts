import { previewColumns, ROOT } from '@treeline/core'
import { listEnds } from '../../drawing/branch-ends.ts'
import { shortIds } from '../../drawing/short-ids.ts'
import { ageText } from '../../listing/age.ts'
import { counted, numberText } from '../../output/amount.ts'
import type { Column } from '../../output/table.ts'
import { entryText } from '../../transcript/entry-text.ts'
import { plainTable } from './plain-table.ts'
import type { SlashCommand } from './slash-command.ts'

const MAX_ROWS = 20
const LABEL_COLUMNS = 20

export const treeCommand: SlashCommand = {
  name: 'tree',
  help: 'the whole tree: look around, go on elsewhere',
  async run(actions) {
    actions.open('tree')
  },
}

export const branchCommand: SlashCommand = {
  name: 'branch',
  help: 'say an earlier message again, differently (Esc Esc)',
  async run(actions) {
    actions.open('branch')
  },
}

const COLUMNS: readonly Column[] = [
  { title: '' },
  { title: 'leaf' },
  { title: 'nodes', align: 'right' },
  { title: 'active' },
  { title: 'label' },
  { title: 'last message', flexible: true },
]

export const branchesCommand: SlashCommand = {
  name: 'branches',
  help: 'where the branches end, the latest first',
  async run(actions) {
    const { session } = actions
    const { tree, leafId } = session
    const ends = listEnds(tree, leafId === null ? ROOT : tree.ids.find(leafId))
    if (ends.length === 0) return actions.show('Nothing has been said here yet, so there are no branches.')
    const shown = ends.slice(0, MAX_ROWS)
    const entries = await session.readEntries(shown.map((end) => end.leafId))
    const shortId = shortIds(tree)
    const rows = shown.map(({ leafId: id, length, label, isTrunk }, i) => [
      isTrunk ? '*' : '',
      shortId(id),
      numberText(length),
      ageText(entries[i]?.timestamp),
      label === undefined ? '' : previewColumns(label, LABEL_COLUMNS),
      entries[i] === undefined ? '' : entryText(entries[i]),
    ])
    const left = ends.length - shown.length
    const more = left > 0 ? `\n${counted(left, 'older one')} not shown: /tree shows all.` : ''
    actions.show(`${plainTable(actions, COLUMNS, rows)}${more}`)
  },
}
