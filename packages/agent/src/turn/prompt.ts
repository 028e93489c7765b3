import type { ImageBlock, TextBlock } from '@treeline/core'

/** What a person says: text, or text with images. */
export type Prompt = string | readonly (TextBlock | ImageBlock)[]

/** Nothing to answer: providers refuse it, or make something up. */
export function isBlank(prompt: Prompt): boolean {
  if (typeof prompt === 'string') return prompt.trim() === ''
  return prompt.every((block) => block.type === 'text' && block.text.trim() === '')
}
