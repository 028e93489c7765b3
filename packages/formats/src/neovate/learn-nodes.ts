import { type Entry, Flag } from '@treeline/core'
import type { NoteList } from '../note-list.ts'
import { unreadableNote } from '../transcript/full-entry.ts'
import { BATCH, type Bodies } from './bodies.ts'
import { type Fields, isFields, keptOf } from './record.ts'
import { callsIn, type WritePlan } from './write-plan.ts'

/** Looks at every node once before anything is written. True when some of them came from a Neovate file. */
export async function learnNodes(
  plan: WritePlan,
  nodes: readonly number[],
  bodies: Bodies,
  notes: NoteList,
): Promise<boolean> {
  let hasRecords = false
  for (let from = 0; from < nodes.length; from += BATCH) {
    const refs = nodes.slice(from, from + BATCH)
    const entries = await bodies.readStored(refs)
    for (const [i, ref] of refs.entries()) {
      const entry = entries[i]
      const kept = keptOf(entry)
      if (kept !== undefined) hasRecords = true
      const isAsking = kept === undefined && callsIn(entry?.message).length > 0
      plan.learn(ref, { kept, isAsking, isLeftOut: isUnsayable(plan, ref, entry, notes) })
      if (plan.isMuted(ref)) notes.count('left_out', 'A muted node is left out of the path', bodies.idOf(ref))
    }
  }
  return hasRecords
}

/** What has no place on a path that a model is to read. Says so. */
function isUnsayable({ tree }: WritePlan, ref: number, entry: Entry | undefined, notes: NoteList): boolean {
  const id = tree.ids.textOf(ref)
  if (entry === undefined) {
    const isGenerating = tree.columns.has(ref, Flag.generating)
    if (isGenerating) notes.count('left_out', 'An answer that is still being written is left out', id)
    else notes.add(unreadableNote(id))
    return true
  }
  if (keptOf(entry) !== undefined || !isFields(entry.message)) return false
  const { stopReason, excludeFromContext } = entry.message as Fields
  if (stopReason === 'error') notes.count('left_out', 'An answer that failed is left out of the path', id)
  if (excludeFromContext === true) notes.count('left_out', 'A command kept from the model is left out', id)
  return stopReason === 'error' || excludeFromContext === true
}
