import { type AgentEnv, type Prompt, readAttachment } from '@treeline/agent'
import { type ImageBlock, isAttachedText, type TextBlock, TreelineError } from '@treeline/core'
import { t } from '../../output/language.ts'
import { findMentions } from './mention.ts'

export interface WithFiles {
  readonly prompt: Prompt
  /** What could not be attached, and why. */
  readonly problems: readonly string[]
}

type Block = TextBlock | ImageBlock

const MAX_FILES = 10
/** Each is looked for on disk. */
const MAX_MENTIONS = 100

/**
 * A prompt with the files it names behind it. What was typed stays as it is, and only there names are looked for: what was
 * pasted or piped in was not written by the user. A name that no file has is just a word.
 */
export async function attachMentions(
  env: Pick<AgentEnv, 'cwd' | 'secrets'>,
  prompt: Prompt,
  typed: string,
  signal: AbortSignal,
): Promise<WithFiles> {
  const attached: Block[] = []
  const seen = new Set<string>()
  const problems: string[] = []
  for (const { paths } of findMentions(typed).slice(0, MAX_MENTIONS)) {
    if (paths.some((path) => seen.has(path))) continue
    for (const path of paths) seen.add(path)
    try {
      const blocks = await readFirst(env, paths, signal)
      if (blocks === undefined) continue
      if (attached.filter(isFile).length === MAX_FILES) {
        const left = { count: MAX_FILES, path: paths[0]! }
        problems.push(t('No more than {count} files go with a prompt: {path} and what follows were left out.', left))
        break
      }
      attached.push(...blocks)
    } catch (error) {
      if (!(error instanceof TreelineError)) throw error
      problems.push(error.message)
    }
  }
  if (attached.length === 0 && typeof prompt === 'string') return { prompt, problems }
  const said: readonly Block[] = typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt
  return { prompt: [...said.map(unlikeFile), ...attached], problems }
}

/** What was typed or pasted behind an image is said, whatever it looks like: it must be seen, and come back to be edited. */
function unlikeFile(block: Block, at: number): Block {
  return at > 0 && block.type === 'text' && isAttachedText(block.text) ? { ...block, text: `\n${block.text}` } : block
}

async function readFirst(env: Pick<AgentEnv, 'cwd' | 'secrets'>, paths: readonly string[], signal: AbortSignal) {
  for (const path of paths) {
    const blocks = await readAttachment(env, path, signal)
    if (blocks !== undefined) return blocks
  }
  return undefined
}

function isFile({ type }: Block): boolean {
  return type === 'text'
}
