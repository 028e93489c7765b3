import type { Definition } from 'mdast'
import type { Block } from './parse-markdown.ts'

export type Definitions = ReadonlyMap<string, Definition>

/** Where `[words][name]` leads to. The first of a name counts. */
export function definitionsOf(blocks: readonly Block[]): Definitions {
  const found = new Map<string, Definition>()
  for (const block of blocks) {
    if (block.type === 'definition' && !found.has(block.identifier)) found.set(block.identifier, block)
  }
  return found
}
