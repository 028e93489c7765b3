import { Buffer } from 'node:buffer'
import { TreelineError } from '@treeline/core'
import { z } from 'zod'
import type { Tool, ToolContext, ToolPreview } from '../tool.ts'
import { visibleText } from '../visible-text.ts'
import { fileError } from './file-error.ts'
import { isOutsideProject, resolvePath, showPath } from './paths.ts'
import { readTextFile } from './text-file.ts'
import { unifiedDiff } from './unified-diff.ts'
import { lookAt, type SeenFile, writeFile } from './write-file.ts'

const input = z.strictObject({
  path: z.string().min(1).max(8192).describe('The file, relative to the project'),
  content: z.string().describe('All of it'),
})
type Input = z.infer<typeof input>

/** What the question was about, by the call's input: what is replaced has to be what was shown. */
const shownFiles = new WeakMap<Input, SeenFile>()

export const writeTool: Tool<Input> = {
  name: 'write',
  description:
    'Write a whole file: makes it, and the folders above it, or replaces what it held. Use edit to change a part.',
  input,
  effect: 'edit',
  isRepeatable: false,
  preview: previewWrite,
  async run(given, { cwd }) {
    const { content } = given
    const path = resolvePath(cwd, given.path)
    const shown = showPath(cwd, path)
    refuseHalves(content)
    const bytes = Buffer.from(content)
    try {
      await writeFile(path, bytes, shown, shownFiles.get(given))
    } catch (error) {
      throw fileError(error, shown)
    }
    const text = `Wrote ${bytes.length} bytes to ${shown}.`
    return { content: [{ type: 'text', text }], details: { path, sizeBytes: bytes.length } }
  },
}

async function previewWrite(given: Input, { cwd }: ToolContext): Promise<ToolPreview> {
  const { content } = given
  const path = resolvePath(cwd, given.path)
  const shown = showPath(cwd, path)
  refuseHalves(content)
  const asFileError = (error: unknown): never => {
    throw fileError(error, shown)
  }
  const seen = await lookAt(path).catch(asFileError)
  shownFiles.set(given, seen)
  const isOutside = await isOutsideProject(cwd, seen.target).catch(asFileError)
  const before = await readTextFile(seen.target, shown).catch(() => undefined)
  // What is not text, or too long, cannot be shown; that it goes can be said.
  const lost = before === undefined && seen.stat?.isFile() ? ` (replaces ${seen.stat.size} bytes)` : ''
  const title = `write ${shown}${lost}${isOutside ? ' (outside the project)' : ''}`
  const isKnown = before !== undefined && before.text !== ''
  return {
    title,
    body: visibleText(isKnown ? unifiedDiff(shown, before.bom + before.text, content) : content),
    language: isKnown ? 'diff' : 'text',
    ...(isOutside && { isOutsideProject: true }),
  }
}

/** They would turn into something else on the way to the disk. */
function refuseHalves(content: string): void {
  if (content.isWellFormed()) return
  const message = 'The content holds half of a character (a lone surrogate), which no file can hold. Write it anew.'
  throw new TreelineError('bad_request', message)
}
