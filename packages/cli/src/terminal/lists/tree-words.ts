import { numberText } from '../../output/amount.ts'
import { t } from '../../output/language.ts'
import { shortId } from '../../output/short-id.ts'
import type { Glyphs } from './glyphs.ts'
import { hintLine } from './hint-line.ts'
import type { TreeBrowser } from './tree-browser.ts'

/** In a lower window rows are worth more than lines of keys. */
const MIN_ROWS_FOR_MORE = 10

/** What the list shows, and where in it one is. */
export function treeHeadline(browser: TreeBrowser, between: string): string {
  const { held, query, length, list, searched, previews, isSearching } = browser
  if (held !== undefined) {
    return t('Grafting {id}: go to its new parent and press Alt+G, Esc lets go', { id: shortId(held) })
  }
  const place = { at: numberText(list.cursor + 1), count: numberText(length) }
  const filter = filterName(browser)
  if (!isSearching) {
    const at = length === 0 ? t('nothing here') : t('{at} of {count}', place)
    return [t('Tree'), ...filter, at].join(between)
  }
  const found = length === 0 ? t('nothing found') : t('{at} of {count} found', place)
  const read = previews.countRead(searched)
  const amounts = { read: numberText(read), count: numberText(searched.length) }
  const progress = read < searched.length ? [t('read {read} of {count}', amounts)] : []
  return [t('Search: {query}', { query }), ...filter, found, ...progress].join(between)
}

function filterName({ filter }: TreeBrowser): string[] {
  switch (filter) {
    case 'default':
      return []
    case 'no-tools':
      return [t('no tools')]
    case 'user':
      return [t('user only')]
    case 'labeled':
      return [t('labelled')]
    case 'all':
      return [t('all')]
  }
}

/** The keys, a line of them for each kind. The most needed come first: what has no room is left out. */
export function treeHints({ upDown, leftRight, between }: Glyphs, columns: number, rows: number): readonly string[] {
  const going = [
    t('{keys} move', { keys: upDown }),
    t('Enter pick'),
    t('Esc close'),
    t('{keys} fold', { keys: leftRight }),
    t('type to search'),
  ]
  const filters = [t('Ctrl: T no tools'), t('U user only'), t('L labelled'), t('O all')]
  const edits = [t('Alt: M mute'), t('P prune'), t('G graft'), t('U undo'), t('R redo'), t('L label'), t('C copy')]
  const groups = rows < MIN_ROWS_FOR_MORE ? [going] : [going, filters, edits]
  return groups.map((hints) => hintLine(hints, between, columns))
}
