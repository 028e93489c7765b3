import { preview, TreelineError } from '@treeline/core'

/** A limit that was given as an option, such as `--limit 50`; 0 is none. */
export function limitOption(name: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual
  if (/^\d{1,9}$/.test(text)) return Number(text) === 0 ? Number.POSITIVE_INFINITY : Number(text)
  const given = JSON.stringify(preview(text, 40))
  throw new TreelineError('bad_request', `--${name} takes a whole number, 0 for no limit; not ${given}.`)
}
