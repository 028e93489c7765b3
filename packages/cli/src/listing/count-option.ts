import { preview, TreelineError } from '@treeline/core'

/** A number that was given as an option, such as `--limit 20`; 0 is as many as there can be. */
export function countOption(name: string, text: string | undefined, usual: number, most: number): number {
  if (text === undefined) return usual
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (count === 0) return most
  if (count <= most) return count
  const given = JSON.stringify(preview(text, 40))
  throw new TreelineError('bad_request', `--${name} takes a number up to ${most}, 0 for as many; not ${given}.`)
}
