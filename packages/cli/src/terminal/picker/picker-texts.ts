import type { ListOrder } from '@treeline/store'
import { numberText } from '../../output/amount.ts'
import { t } from '../../output/language.ts'
import type { Glyphs } from '../lists/glyphs.ts'
import type { SessionBrowser } from './session-browser.ts'

export function headline(browser: SessionBrowser, { between }: Glyphs): string {
  const { query, scope, order, rows, list } = browser
  const where = scope === 'folder' ? t('this folder') : t('all projects')
  const count = `${numberText(rows.length)}${browser.hasMore ? '+' : ''}`
  const at = rows.length === 0 ? [] : [t('{row} of {count}', { row: numberText(list.cursor + 1), count })]
  const title = query === '' ? t('Sessions') : t('Search: {query}', { query })
  const how = query === '' ? [orderText(order)] : searchedText(browser)
  return [title, where, ...how, ...at, ...workText(browser)].join(between)
}

function orderText(order: ListOrder): string {
  switch (order) {
    case 'active':
      return t('last active first')
    case 'created':
      return t('newest first')
    case 'name':
      return t('by name')
    case 'size':
      return t('largest first')
  }
}

function searchedText({ searched, hasMoreNames }: SessionBrowser): readonly string[] {
  if (searched === 'names') return [t('in names')]
  if (searched === 'text') return [t('in what was said')]
  return hasMoreNames ? [t('Ctrl+F: more names')] : []
}

function workText({ progress, isReading }: SessionBrowser): readonly string[] {
  if (progress !== undefined && progress.bytesTotal > 0) {
    const percent = Math.floor((100 * progress.bytesDone) / progress.bytesTotal)
    return [t('reading sessions, {percent} %', { percent })]
  }
  return isReading ? [t('reading…')] : []
}

/** Nothing while it may still come. */
export function emptyText({ query, scope, isReading, progress }: SessionBrowser): string {
  if (isReading) return ''
  if (progress !== undefined) return t('Sessions are being read; what is found is shown here.')
  if (query !== '') {
    return scope === 'folder'
      ? t('Nothing here says that. Tab searches all projects, Esc clears the search.')
      : t('Nothing says that. All words have to be in one place; try fewer. Esc clears the search.')
  }
  return scope === 'folder'
    ? t('No session in this folder yet. Tab shows all projects.')
    : t('No session yet. What you say to treeline is kept as one, and those of other tools are found by themselves.')
}

export function keyLines({ scope, query }: SessionBrowser, { upDown, between }: Glyphs, hasMore: boolean): string[] {
  const other = scope === 'folder' ? t('Tab all projects') : t('Tab this folder')
  const esc = query === '' ? t('Esc close') : t('Esc clear')
  const first = [t('{keys} move', { keys: upDown }), t('Enter open'), other, t('type to search'), esc].join(between)
  return hasMore ? [first, t('Ctrl: S sort, F search in, T threads, P preview, N rename, D trash')] : [first]
}
