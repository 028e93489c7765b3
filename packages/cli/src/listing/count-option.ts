import { preview, TreelineError } from '@treeline/core'

/** A number that was given as an option, such as `--limit 20`. */
export function countOption(name: string, text: string | undefined, usual: number, most: number): number {
  if (text === undefined) return usual
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= most) return count
  const given = JSON.stringify(preview(text, 40))
  throw new TreelineError('bad_request', `--${name} takes a number from 1 to ${most}; not ${given}.`)
}
