import { statSync } from 'node:fs'
import { join } from 'node:path'
import { TreelineError } from '@treeline/core'
import { findProject, type Project } from '../settings/find-project.ts'
import { readFileHead } from '../settings/read-file-head.ts'
import { onOneLine } from './system-prompt.ts'

/** The first that a folder has speaks for it. */
const NAMES = ['AGENTS.md', 'CLAUDE.md']
const MAX_FILE_BYTES = 64 * 1024
/** All together; the nearest to the working folder come first. */
const MAX_BYTES = 256 * 1024
const MAX_FOLDERS = 64
const INTRODUCTION =
  'The project keeps these instructions for whoever works on it. Where they differ, the later ones are nearer to the working folder and count.'

/** What a file says must not read as if it had ended and others spoke. */
const OWN_TAG = /<(\s*\/?\s*instructions)/gi

interface Instruction {
  readonly path: string
  readonly text: string
}

interface Cached extends Instruction {
  /** What the file looked like when it was read. */
  readonly stamp: string
}

/** Reads what a project tells everybody who works on it, from its root down to `cwd`. Quick when nothing has changed. */
export function createInstructionsReader(cwd: string): () => string {
  let cache: ReadonlyMap<string, Cached> = new Map()
  return () => {
    const project = findProject(cwd)
    const end = project.folders.indexOf(project.root) + 1
    const found = project.folders.slice(0, Math.min(end, MAX_FOLDERS)).flatMap((folder) => {
      const one = readFolder(folder, project, cache)
      return one === undefined ? [] : [one]
    })
    cache = new Map(found.map((one) => [one.path, one]))
    return format(found)
  }
}

function readFolder(folder: string, project: Project, cache: ReadonlyMap<string, Cached>): Cached | undefined {
  for (const name of NAMES) {
    const path = join(folder, name)
    const stamp = stampOf(path)
    if (stamp === undefined) continue
    const known = cache.get(path)
    return known?.stamp === stamp ? known : { path, stamp, text: readText(path, project) }
  }
  return undefined
}

/** `undefined` when there is no such file. One that cannot be looked at is read, and then says why not. */
function stampOf(path: string): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat && `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`
  } catch (error) {
    return `unknown: ${error}`
  }
}

/** What keeps a file from being read is said in its place, where whoever looks at the line finds it. */
function readText(path: string, { root, owners }: Project): string {
  try {
    const head = readFileHead(path, { maxBytes: MAX_FILE_BYTES, within: root, owners })
    if (head === undefined) return ''
    if (head.bytes.includes(0)) return '(Not read: it is not text.)'
    // Streaming: half a character at the cut is left out.
    const text = new TextDecoder().decode(head.bytes, { stream: !head.isWhole }).trim()
    return head.isWhole ? text : `${text}\n(Cut here: only the first 64 KiB are read.)`
  } catch (error) {
    if (!(error instanceof TreelineError)) throw error
    return `(Not read: ${error.message})`
  }
}

/** From the root down; what is too much goes from the root. */
function format(nearestFirst: readonly Instruction[]): string {
  let left = MAX_BYTES
  const parts: string[] = []
  for (const { path, text } of nearestFirst) {
    if (text === '') continue
    left -= Buffer.byteLength(text)
    const said = text.replace(OWN_TAG, '&lt;$1')
    const body = left < 0 ? '(Left out: the instructions nearer to the working folder take all the room.)' : said
    parts.push(`<instructions path="${onOneLine(path).replace(/["<>]/g, '?')}">\n${body}\n</instructions>`)
  }
  return parts.length === 0 ? '' : [INTRODUCTION, ...parts.reverse()].join('\n\n')
}
