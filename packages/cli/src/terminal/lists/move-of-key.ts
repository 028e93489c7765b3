import type { Key } from 'ink'
import type { ListMove } from './list-state.ts'

export function moveOfKey(key: Key): ListMove | undefined {
  if (key.upArrow) return 'up'
  if (key.downArrow) return 'down'
  if (key.pageUp) return 'pageUp'
  if (key.pageDown) return 'pageDown'
  if (key.home) return 'first'
  return key.end ? 'last' : undefined
}
