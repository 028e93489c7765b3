import type { ImageBlock, TextBlock } from '@treeline/core'

/** What a person says: text, or text with images. */
export type Prompt = string | readonly (TextBlock | ImageBlock)[]
