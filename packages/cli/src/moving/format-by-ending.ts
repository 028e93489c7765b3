import type { WriterName } from '@treeline/formats'

const BY_ENDING: Readonly<Record<string, WriterName>> = {
  '.jsonl': 'jsonl',
  '.json': 'json',
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.html': 'html',
  '.htm': 'html',
}

/** What a file with this ending, `.md`, is meant to be; `undefined` when it does not say. */
export function formatByEnding(ending: string): WriterName | undefined {
  const known = ending.toLowerCase()
  return Object.hasOwn(BY_ENDING, known) ? BY_ENDING[known] : undefined
}
