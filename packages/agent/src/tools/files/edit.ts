import { TreelineError } from '@treeline/core'
import { z } from 'zod'
import type { Tool, ToolPreview } from '../tool.ts'
import { visibleText } from '../visible-text.ts'
import { fileError } from './file-error.ts'
import { isOutsideProject, resolvePath, showPath } from './paths.ts'
import { replaceText } from './replace-text.ts'
import { readTextFile, type TextFile } from './text-file.ts'
import { unifiedDiff } from './unified-diff.ts'
import { lookAt, type SeenFile, writeFile } from './write-file.ts'

const MAX_EDITS = 100

/** What the question was about, by the call's input: what is written has to be what was shown. */
const shownFiles = new WeakMap<Input, SeenFile>()

const input = z.strictObject({
  path: z.string().min(1).max(8192).describe('The file, relative to the project'),
  edits: z
    .array(
      z.strictObject({
        oldText: z.string().describe('Exactly as it is in the file; there only once, unless all is set'),
        newText: z.string().describe('What is to be there instead'),
        all: z.boolean().optional().describe('Replace it everywhere'),
      }),
    )
    .min(1)
    .max(MAX_EDITS),
})
type Input = z.infer<typeof input>

export const editTool: Tool<Input> = {
  name: 'edit',
  description:
    'Replace exact texts in a file. Several edits of one file go in one call: each is looked for in the file as it was, they must not overlap, and all of them are made or none.',
  input,
  effect: 'edit',
  isRepeatable: false,
  async preview(given, { cwd }): Promise<ToolPreview> {
    const { shown, seen, before, after } = await planEdit(given, cwd)
    shownFiles.set(given, seen)
    const isOutside = await isOutsideProject(cwd, seen.target).catch((error) => {
      throw fileError(error, shown)
    })
    return {
      title: `edit ${shown}${isOutside ? ' (outside the project)' : ''}`,
      body: visibleText(diffOf(shown, before.text, after)),
      language: 'diff',
      ...(isOutside && { isOutsideProject: true }),
    }
  },
  async run(given, { cwd }) {
    const { path, shown, seen, before, after } = await planEdit(given, cwd)
    try {
      await writeFile(path, Buffer.from(before.bom + after), shown, shownFiles.get(given) ?? seen)
    } catch (error) {
      throw fileError(error, shown)
    }
    const count = given.edits.length
    const text = `Changed ${shown} (${count} ${count === 1 ? 'edit' : 'edits'}).`
    return { content: [{ type: 'text', text }], details: { path, diff: diffOf(shown, before.text, after) } }
  },
}

interface PlannedEdit {
  readonly path: string
  readonly shown: string
  readonly seen: SeenFile
  readonly before: TextFile
  readonly after: string
}

/** Line ends are kept, so they are no part of what is shown, unless the file had none of the kind. */
function diffOf(shown: string, before: string, after: string): string {
  if (!before.includes('\r\n')) return unifiedDiff(shown, before, after)
  return unifiedDiff(shown, before.replaceAll('\r\n', '\n'), after.replaceAll('\r\n', '\n'))
}

async function planEdit({ path: given, edits }: Input, cwd: string): Promise<PlannedEdit> {
  const path = resolvePath(cwd, given)
  const shown = showPath(cwd, path)
  if (!edits.every(({ newText }) => newText.isWellFormed())) {
    const message = 'A new text holds half of a character (a lone surrogate), which no file can hold. Write it anew.'
    throw new TreelineError('bad_request', message)
  }
  try {
    const { target } = await lookAt(path)
    const before = await readTextFile(target, shown)
    const seen = { target, stat: before.stat }
    return { path, shown, seen, before, after: replaceText(before.text, edits, shown) }
  } catch (error) {
    throw fileError(error, shown)
  }
}
