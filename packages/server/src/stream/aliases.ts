import type { DurableEvent } from '@treeline/protocol'
import { Frame } from '../hub/frame.ts'
import { TextUpdate } from '../hub/text-update.ts'

const frames = new WeakMap<Frame, Frame>()
const updates = new WeakMap<TextUpdate, TextUpdate>()

/** A frame with the other names of the seed (T33, T34), made once for all who want them. */
export function withAliases(frame: Frame, maxBytes: number): Frame {
  const made = frames.get(frame)
  if (made !== undefined) return made
  const events = frame.events.flatMap(aliasesOf)
  const expanded = new Frame(frame.seq, events)
  // Thousands of nodes at once stay one event rather than make a frame that nobody takes.
  const aliased = expanded.wire.length <= maxBytes ? expanded : frame
  frames.set(frame, aliased)
  return aliased
}

export function textWithAlias(update: TextUpdate): TextUpdate {
  const made = updates.get(update) ?? new TextUpdate({ ...update.event, alias: 'message.update' })
  updates.set(update, made)
  return made
}

/** Events of one line stay in one frame: those after the first would be taken for known, having the same number. */
function aliasesOf(event: DurableEvent): readonly DurableEvent[] {
  if (event.type === 'node.completed') return [{ ...event, alias: 'message.complete' }]
  if (event.type !== 'nodes.state.updated') return [event]
  const { patches, ...common } = event
  const n = patches.length
  return patches.map((patch, i) => ({ ...common, type: 'node.state.updated', patch, part: { i, n } }))
}
