import { plainText, preview } from '@treeline/core'

export const TITLE_GRAPHEMES = 60

/** The mark of a heading or a list, and a word that announces a title. */
const LEAD = /^(?:[#>*-]+\s+|(?:title|titel|titre|título|titolo|标题|タイトル)\s*[:：])/iu
/** Around all of it, and nowhere within. */
const MARK = '"\'`*_“”„‘’‚«»‹›「」『』《》'
const QUOTED = new RegExp(`^[${MARK}]+([^${MARK}]*)[${MARK}]+$`, 'u')
const STOPS = /[.。．｡]+$/u
/** More is not looked at: it would not be shown. */
const MAX_UNITS = 1_000

/** A title as it may be shown in a list: one line, plain, short, without quotes and full stop. Empty when nothing is left. */
export function toTitle(said: string): string {
  const lines = plainText(said).split('\n')
  const line = lines.find((text) => text.trim() !== '') ?? ''
  let title = line.trim().slice(0, MAX_UNITS)
  // A full stop may stand within the quotes or behind them, a heading within or around them.
  for (let before = ''; before !== title; ) {
    before = title
    title = title.replace(STOPS, '').replace(QUOTED, '$1').replace(LEAD, '').trim()
  }
  return preview(title, TITLE_GRAPHEMES)
}
