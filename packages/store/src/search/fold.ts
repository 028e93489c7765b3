const NOT_ASCII = /\P{ASCII}+/gu
/** Accents and vowel points, which people leave out; not the vowels of Thai or Hindi, nor the voicing of kana. */
const IGNORED =
  /\p{Default_Ignorable_Code_Point}|(?=\p{Mn})(?!\u3099|\u309a)[\p{sc=Inherited}\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Cyrillic}]/gu
const BLANKS = /[\s\p{Cc}]{2,}|[^\S ]|\p{Cc}/gu

/** Chinese characters, kana and Korean syllables, most of what there is in runs: they stay as they are. */
const UNCHANGED = /^[\u3001\u3002\u3041-\u3094\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]+$/
/** Nothing but these and ASCII. */
const EVEN = /^[\0-\x7f\u3001\u3002\u3041-\u3094\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]*$/

/** Quotation marks, dashes and accented letters come again and again. */
const shortRuns = new Map<string, string>()
const MAX_SHORT_RUNS = 4096
const MAX_SHORT_RUN_CHARS = 2

/**
 * Text as it is searched: without case, accents, width and invisible characters, every blank one space. Index and query
 * are folded by the same function, so what SQLite's tokenizers would make of a character does not matter.
 */
export function fold(text: string): string {
  return text.replace(NOT_ASCII, foldRun).toLowerCase().replace(BLANKS, ' ')
}

/** Whether each character of a text is folded to one, so that offsets stay: `folded` is the text, folded. */
export function isEven(text: string, folded: string): boolean {
  return folded.length === text.length && EVEN.test(text)
}

function foldRun(run: string): string {
  if (UNCHANGED.test(run)) return run
  if (run.length > MAX_SHORT_RUN_CHARS) return foldCharacters(run)
  const known = shortRuns.get(run)
  if (known !== undefined) return known
  const folded = foldCharacters(run)
  if (shortRuns.size < MAX_SHORT_RUNS) shortRuns.set(run, folded)
  return folded
}

/** Through upper case, because ß and ı stay as they are in lower case; σ, because ς depends on what follows it. */
function foldCharacters(run: string): string {
  return run
    .toWellFormed()
    .normalize('NFKD')
    .replace(IGNORED, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC')
}
