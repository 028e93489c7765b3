import type { Entry } from '@treeline/core'
import { type FilesTouched, fileBlocks } from './files-touched.ts'

/** Whether a summary has lists of files on record, so that those before it need not be asked (M16). */
export function hasFileLists({ details }: Entry): boolean {
  const { readFiles, modifiedFiles } = (details ?? {}) as Readonly<Record<string, unknown>>
  return Array.isArray(readFiles) && Array.isArray(modifiedFiles)
}

/** A summary with the lists behind it. Together they take at most about `maxChars`; what is left out is counted. */
export function withFileLists(summary: string, files: FilesTouched, maxChars: number): string {
  // What was modified matters more, so it has its share first.
  const modifiedFiles = within(files.modifiedFiles, maxChars)
  const readFiles = within(files.readFiles, maxChars - charsOf(modifiedFiles))
  return [withoutFileLists(summary), fileBlocks({ readFiles, modifiedFiles })]
    .filter((text) => text !== '')
    .join('\n\n')
}

function within(paths: readonly string[], maxChars: number): readonly string[] {
  let chars = 0
  const end = paths.findIndex((path) => {
    chars += path.length + 1
    return chars > maxChars
  })
  return end < 0 ? paths : [...paths.slice(0, end), `(${paths.length - end} more)`]
}

function charsOf(paths: readonly string[]): number {
  return paths.reduce((chars, path) => chars + path.length + 1, 0)
}

const TAGS = ['read-files', 'modified-files']

/** The summary alone: lists are kept apart and put behind it anew. */
export function withoutFileLists(summary: string): string {
  let text = summary
  for (const tag of TAGS) {
    const kept: string[] = []
    let from = 0
    for (;;) {
      const start = text.indexOf(`<${tag}>`, from)
      const end = start < 0 ? -1 : text.indexOf(`</${tag}>`, start)
      if (end < 0) break
      kept.push(text.slice(from, start))
      from = end + tag.length + 3
    }
    text = [...kept, text.slice(from)].join('')
  }
  return text.trim()
}
