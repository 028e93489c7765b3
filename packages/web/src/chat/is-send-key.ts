import type { KeyboardEvent } from 'react'

/** Enter, but not the Enter that chooses a word while one composes (229 is what browsers send then). */
export function isSendKey({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !nativeEvent.isComposing && nativeEvent.keyCode !== 229
}
