import type { Dirent } from 'node:fs'
import { opendir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Tool, ToolContext, ToolOutput } from '../tool.ts'
import { visibleLine } from '../visible-text.ts'
import { fileError } from './file-error.ts'
import { resolvePath, showPath } from './paths.ts'

const MAX_SHOWN = 500
/** A folder with more is listed in part: all names would have to be known to sort them. */
const MAX_READ = 50_000

const input = z.strictObject({
  path: z.string().min(1).max(8192).optional().describe('The folder; the project by default'),
})
type Input = z.infer<typeof input>

export const lsTool: Tool<Input> = {
  name: 'ls',
  description: `List a folder, hidden files too, at most ${MAX_SHOWN}. Folders end in /, links show where they lead.`,
  input,
  effect: 'read',
  isRepeatable: true,
  preview: ({ path = '.' }, { cwd }) => ({ title: `ls ${showPath(cwd, resolvePath(cwd, path))}` }),
  run: ({ path = '.' }, context) => listFolder(path, context),
}

export async function listFolder(
  given: string,
  { cwd, signal }: Pick<ToolContext, 'cwd' | 'signal'>,
): Promise<ToolOutput> {
  const path = resolvePath(cwd, given)
  const shown = showPath(cwd, path)
  try {
    const { entries, hasMore } = await readFolder(path, signal)
    const lines = await Promise.all(entries.slice(0, MAX_SHOWN).map((entry) => describe(path, entry)))
    const left = entries.length - lines.length
    if (left > 0) lines.push(`[${left}${hasMore ? ' or more' : ''} others; use find with a glob]`)
    if (lines.length === 0) lines.push('[an empty folder]')
    const details = { path, count: entries.length, isCut: left > 0 }
    return { content: [{ type: 'text', text: lines.join('\n') }], details }
  } catch (error) {
    signal.throwIfAborted()
    throw fileError(error, shown)
  }
}

async function readFolder(path: string, signal: AbortSignal): Promise<{ entries: Dirent[]; hasMore: boolean }> {
  const entries: Dirent[] = []
  let hasMore = false
  for await (const entry of await opendir(path, { bufferSize: 256 })) {
    signal.throwIfAborted()
    hasMore = entries.length === MAX_READ
    if (hasMore) break
    entries.push(entry)
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  return { entries, hasMore }
}

async function describe(folder: string, entry: Dirent): Promise<string> {
  const name = visibleLine(entry.name)
  if (entry.isDirectory()) return `${name}/`
  if (!entry.isSymbolicLink()) return name
  const target = await readlink(join(folder, entry.name)).catch(() => '?')
  return `${name} -> ${visibleLine(target)}`
}
