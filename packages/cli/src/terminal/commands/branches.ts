import { previewColumns, ROOT } from '@treeline/core'
import { listEnds } from '../../drawing/branch-ends.ts'
import { shortIds } from '../../drawing/short-ids.ts'
import { ageText } from '../../listing/age.ts'
import { numberText } from '../../output/amount.ts'
import { t } from '../../output/language.ts'
import type { Column } from '../../output/table.ts'
import { entryText } from '../../transcript/entry-text.ts'
import { plainTable } from './plain-table.ts'
import type { SlashCommand } from './slash-command.ts'

const MAX_ROWS = 20
const LABEL_COLUMNS = 20

export const treeCommand: SlashCommand = {
  name: 'tree',
  help: () => t('the whole tree: look around, go on elsewhere'),
  async run(actions) {
    actions.open('tree')
  },
}

export const branchCommand: SlashCommand = {
  name: 'branch',
  help: () => t('say an earlier message again, differently (Esc Esc)'),
  async run(actions) {
    actions.open('branch')
  },
}

export const branchesCommand: SlashCommand = {
  name: 'branches',
  help: () => t('where the branches end, the latest first'),
  async run(actions) {
    const { session } = actions
    const { tree, leafId } = session
    const ends = listEnds(tree, leafId === null ? ROOT : tree.ids.find(leafId))
    if (ends.length === 0) {
      return actions.show(t('Nothing has been said here yet, so there are no branches. Esc Esc makes one later.'))
    }
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
    const hint = t('/go ID goes on at the end of one, /merge ID joins it with this one.')
    actions.show([plainTable(actions, columns(), rows), ...leftOut(ends.length - shown.length), hint].join('\n'))
  },
}

function columns(): readonly Column[] {
  return [
    { title: '' },
    { title: t('leaf') },
    { title: t('nodes'), align: 'right' },
    { title: t('active') },
    { title: t('label') },
    { title: t('last message'), flexible: true },
  ]
}

function leftOut(count: number): readonly string[] {
  if (count <= 0) return []
  if (count === 1) return [t('1 older one is not shown: /tree shows all.')]
  return [t('{count} older ones are not shown: /tree shows all.', { count: numberText(count) })]
}
