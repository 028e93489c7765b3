import type { Entry } from './entry.ts'
import type { ImageBlock, TextBlock } from './message.ts'

/** What is told of a file that goes with a prompt. */
export interface AttachedFile {
  /** Relative to the project; that of a folder ends in a slash. */
  readonly path: string
  /** How much of it there is: lines of a text, names in a folder. Nothing for an image. */
  readonly count?: number
  /** There is more of it than the model was given. */
  readonly isCut: boolean
}

type Block = TextBlock | ImageBlock

const START = /^<file path="([^"\n]*)"(?: count="(\d+)(\+)?")?>\n/
const END = '\n</file>'

/**
 * A file as a block of a prompt. That it is one shows in the text itself, so that a session that another tool wrote further
 * keeps it, and so that a block is a whole file whatever stands in it. The path is one line.
 */
export function toAttachedText({ path, count, isCut }: AttachedFile, body: string): string {
  const size = count === undefined ? '' : ` count="${count}${isCut ? '+' : ''}"`
  return `<file path="${path.replace(/["\n]/g, escapeInPath)}"${size}>\n${body.replace(/\n$/, '')}${END}`
}

/** Parts what was said from the files that follow it. Any shape is survived. */
export function splitAttached(content: readonly Block[]): {
  readonly said: readonly Block[]
  readonly attached: readonly AttachedFile[]
} {
  let from = content.length
  for (let at = content.length - 1; at >= 0; at--) {
    const block = content[at]
    // The first block is always what was said; an image belongs to the file before it.
    if (block?.type === 'text' && at > 0 && readAttached(block.text) !== undefined) from = at
    else if (block?.type !== 'image') break
  }
  const attached = content
    .slice(from)
    .flatMap((block) => (block.type === 'text' ? (readAttached(block.text) ?? []) : []))
  return { said: content.slice(0, from), attached }
}

/** Whether a block of text would be taken for a file. */
export function isAttachedText(text: string): boolean {
  return readAttached(text) !== undefined
}

/** A prompt as it was typed: for names and lists, where its files would be in the way. */
export function withoutAttached(entry: Entry): Entry {
  const { role, content } = (entry.message ?? {}) as Readonly<Record<string, unknown>>
  if (role !== 'user' || !Array.isArray(content)) return entry
  return { ...entry, message: { ...(entry.message as object), content: splitAttached(content).said } }
}

/** What other tools wrote may be anything. */
function readAttached(text: unknown): AttachedFile | undefined {
  const match = typeof text === 'string' && text.endsWith(END) ? START.exec(text) : null
  if (match === null) return undefined
  const [, path = '', count, more] = match
  return { path: path.replaceAll('&quot;', '"'), ...(count && { count: Number(count) }), isCut: more !== undefined }
}

function escapeInPath(character: string): string {
  return character === '"' ? '&quot;' : ' '
}
