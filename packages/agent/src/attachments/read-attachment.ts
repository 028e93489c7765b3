import { realpath, stat } from 'node:fs/promises'
import { type ImageBlock, type TextBlock, TreelineError, toAttachedText } from '@treeline/core'
import type { AgentEnv } from '../env.ts'
import { fileError } from '../tools/files/file-error.ts'
import { listFolder } from '../tools/files/ls.ts'
import { isBelow, resolvePath, showPath } from '../tools/files/paths.ts'
import { readFile } from '../tools/files/read.ts'
import { hideInText } from '../tools/hide-secrets.ts'
import type { ToolOutput } from '../tools/tool.ts'

const MISSING: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EINVAL'])

/**
 * A file or folder of the project as it goes with a prompt that names it: as the tools `read` and `ls` give it, with their
 * limits. `undefined` where there is none. Throws for what lies outside of the project, links followed, and for what is no
 * text.
 */
export async function readAttachment(
  { cwd, secrets }: Pick<AgentEnv, 'cwd' | 'secrets'>,
  path: string,
  signal: AbortSignal,
): Promise<readonly (TextBlock | ImageBlock)[] | undefined> {
  const named = resolvePath(cwd, path)
  const shown = showPath(cwd, named)
  try {
    const found = await findInside(cwd, named, shown)
    if (found === undefined) return undefined
    const context = { cwd, signal }
    const output = await (found.isFolder ? listFolder(found.path, context) : readFile({ path: found.path }, context))
    return toBlocks(found.isFolder ? `${shown}/` : shown, output, secrets())
  } catch (error) {
    signal.throwIfAborted()
    throw fileError(error, shown)
  }
}

async function findInside(cwd: string, path: string, shown: string) {
  try {
    const real = await realpath(path)
    if (!isBelow(await realpath(cwd), real)) {
      throw new TreelineError('bad_request', `${shown} is outside of the project and was not attached.`)
    }
    return { path: real, isFolder: (await stat(real)).isDirectory() }
  } catch (error) {
    if (MISSING.has((error as NodeJS.ErrnoException).code)) return undefined
    throw error
  }
}

function toBlocks(path: string, output: ToolOutput, secrets: readonly string[]): readonly (TextBlock | ImageBlock)[] {
  const { lineCount, count = lineCount, isCut } = output.details ?? {}
  const file = { path, ...(typeof count === 'number' && { count }), isCut: isCut === true }
  return output.content.map((block) =>
    block.type === 'text'
      ? { ...block, text: toAttachedText(file, hideInText(block.text.toWellFormed(), secrets)) }
      : block,
  )
}
