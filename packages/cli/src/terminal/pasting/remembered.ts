import type { Prompt } from '@treeline/agent'

/**
 * A prompt as the history keeps it, which all sessions share: in another one a placeholder would stand for what was pasted
 * there. Of an image it is only told that there was one.
 */
export function toRemembered(prompt: Prompt): string {
  if (typeof prompt === 'string') return prompt
  return prompt.map((block) => (block.type === 'text' ? block.text : '[Image]')).join('')
}

/** Whether a text means something only in the session it was typed in. */
export function hasPlaceholder(text: string): boolean {
  return /\[(?:Pasted text|Image) #\d/.test(text)
}
