import type { AddedNodes } from './forest.ts'
import type { Layout, View } from './lay-out.ts'
import type { Places } from './to-places.ts'

/** To the worker: what has changed. Whatever is left out stays as it was. */
export interface LayoutRequest {
  /** Larger than that of every request before. */
  readonly revision: number
  /** The whole tree anew: at first, and after every edit that moves nodes. */
  readonly tree?: Places
  /** Nodes that came at the end, beginning with place `from`. */
  readonly added?: AddedNodes & { readonly from: number }
  readonly changed?: { readonly places: Int32Array; readonly flags: Uint8Array }
  /** The place of the active leaf, or -1. */
  readonly leaf?: number
  readonly view?: View
}

/** From the worker. `behind`: nodes between what it has and what was added are missing, so it needs the whole tree. */
export type LayoutAnswer =
  | { readonly type: 'layout'; readonly revision: number; readonly layout: Layout }
  | { readonly type: 'behind'; readonly revision: number }

/** Every buffer in an answer, to hand over instead of copying. */
export function buffersOf(answer: LayoutAnswer): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>()
  const look = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer) buffers.add(value.buffer)
    } else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) look(inner)
  }
  look(answer)
  return [...buffers]
}
