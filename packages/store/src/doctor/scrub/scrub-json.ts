import { REPLACEMENT } from './secret-pattern.ts'
import type { RenamedBlob, TextEdit } from './text-edit.ts'

const NUMBER = /-?\d[\d.eE+-]*/g

/**
 * Edits every string of a JSON text, keys too, at any depth, and numbers that are the secret. All other bytes stay as
 * they are: white space, the order of keys, numbers no double can hold. Text in and out is latin1, byte for byte.
 */
export function scrubJson(latin1: string, edit: TextEdit): string {
  const cutOf: readonly RenamedBlob[] = edit.findRenamed(latin1)
  const pieces: string[] = []
  let done = 0
  for (let open = latin1.indexOf('"'); open >= 0; open = latin1.indexOf('"', done)) {
    const close = endOfString(latin1, open)
    pieces.push(scrubNumbers(latin1.slice(done, open), edit), scrubString(latin1.slice(open, close), edit, cutOf))
    done = close
  }
  pieces.push(scrubNumbers(latin1.slice(done), edit))
  return pieces.join('')
}

/** Behind the closing quote. */
function endOfString(latin1: string, open: number): number {
  for (let at = latin1.indexOf('"', open + 1); at >= 0; at = latin1.indexOf('"', at + 1)) {
    let backslashes = 0
    while (latin1[at - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return at + 1
  }
  return latin1.length
}

function scrubString(token: string, edit: TextEdit, cutOf: readonly RenamedBlob[]): string {
  if (cutOf.length === 0 && !edit.mayConcern(token)) return token
  const text = JSON.parse(Buffer.from(token, 'latin1').toString()) as string
  const edited = edit.apply(text, cutOf)
  return edited === text ? token : Buffer.from(JSON.stringify(edited)).toString('latin1')
}

function scrubNumbers(gap: string, { pattern }: TextEdit): string {
  if (!pattern.isInBytes(gap)) return gap
  return gap.replace(NUMBER, (token) => (pattern.isNumber(token) ? `"${REPLACEMENT}"` : token))
}
