/**
 * Characters that may be one with their neighbours: marks, joiners, flags, skin tones, parts of Hangul syllables, and the
 * few letters of other kinds that Unicode counts to the one before or behind them.
 */
const CLUSTERING =
  /[\p{M}\p{Cc}\p{Cf}\p{Emoji_Modifier}\p{Regional_Indicator}\u0d4e\u0e33\u0eb3\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\uff9e\uff9f\u{11000}-\u{11fff}]/u

/** Made when first needed: it takes longer to make than a small command takes. */
let segmenter: Intl.Segmenter | undefined

/** What a person sees as one character each (X38). */
export function* graphemesOf(text: string): Generator<string> {
  if (!CLUSTERING.test(text)) {
    yield* text
    return
  }
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (const { segment } of segmenter.segment(text)) yield segment
}
