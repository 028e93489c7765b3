import { type Entry, Flag, Kind, ROOT, type Tree } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { Sink, WriteOptions, Writer } from '../format.ts'
import type { FormatNote } from '../note.ts'
import { redactEntry } from '../redact/redact.ts'
import { readFullEntry, unknownNode, unreadableNote } from '../transcript/full-entry.ts'
import { copyHeader } from './copy-header.ts'
import { addCopyNotes } from './copy-notes.ts'
import { type CopiedEntry, type CopyPlan, planCopy } from './copy-plan.ts'
import { createKeptStretches } from './kept-stretch.ts'
import { SaidLines } from './said-lines.ts'
import { readShadowed } from './shadowed.ts'
import { findLanding, takeTrunk } from './trunk.ts'
import { withUsage } from './with-usage.ts'

/**
 * A copy with the edits carried out, for tools that know none: Pi, xcsh and oh-my-pi open it, show what Treeline shows and
 * land on the same leaf. Where no edit changed anything, every entry is as it was.
 */
export const piWriter: Writer = {
  name: 'pi',
  title: 'A session for Pi, xcsh and oh-my-pi, with the edits applied',
  extension: '.jsonl',
  write,
}

const ENTRIES_PER_READ = 64
const BATCH_CHARS = 256 * 1024

async function write(session: Session, sink: Sink, options: WriteOptions): Promise<readonly FormatNote[]> {
  const { tree } = session
  const notes: FormatNote[] = []
  const labelTargets = await readLabelTargets(session)
  const whole = planCopy(
    tree,
    findLeaf(tree, options.leafId === undefined ? session.leafId : options.leafId),
    labelTargets,
  )
  const plan = options.branches === 'trunk' ? takeTrunk(tree, whole, labelTargets) : whole
  addCopyNotes(session, plan, notes)
  const shown = (record: Entry): Entry => (options.redact ? redactEntry(record) : record)
  const said = new SaidLines(session, plan)
  let text = `${JSON.stringify(copyHeader(session, options.redact === true))}\n`
  for await (const entry of copiedEntries(session, plan, notes)) {
    said.note(entry)
    text += `${JSON.stringify(shown(entry))}\n`
    if (text.length < BATCH_CHARS) continue
    await sink(text)
    text = ''
  }
  for (const entry of said.missing(findLanding(tree, plan.entries))) text += `${JSON.stringify(shown(entry))}\n`
  await sink(text)
  return notes
}

async function* copiedEntries(session: Session, plan: CopyPlan, notes: FormatNote[]): AsyncGenerator<Entry> {
  const { tree } = session
  const keptBy = plan.isEdited ? createKeptStretches(tree, plan) : undefined
  const shadowed = await readShadowed(session, plan)
  /** Entries that turned out to be unreadable, and what hangs under them hangs under instead. */
  const lost = new Map<string, string | null>()
  let uncounted = 0
  for (let start = 0; start < plan.entries.length; start += ENTRIES_PER_READ) {
    const batch = plan.entries.slice(start, start + ENTRIES_PER_READ)
    const stored = await session.readEntries(batch.map(({ bodyId }) => bodyId))
    for (const [i, copied] of batch.entries()) {
      const { ref, id, shadowedRow } = copied
      const body = shadowedRow === undefined ? stored[i] : shadowed.get(shadowedRow)
      const parentId = above(copied.parentId ?? null, lost)
      if (body === undefined) {
        if (shadowedRow === undefined) lost.set(id, parentId)
        notes.push(unreadableNote(id))
        continue
      }
      if (shadowedRow !== undefined) {
        yield body
        continue
      }
      const full = await readFullEntry(session, body, notes)
      const counted = withUsage(full)
      if (counted !== full) uncounted++
      yield placed(counted, copied, parentId, (first) => keptBy?.(ref, first))
    }
  }
  if (uncounted === 0) return
  const message = `${uncounted} answers without token counts say zero in the copy: xcsh opens no session without.`
  notes.push({ kind: 'changed', message })
}

/** The same object, and so the same order of keys, where nothing is different. */
function placed(
  body: Entry,
  { id }: CopiedEntry,
  parentId: string | null,
  keptBy: (firstId: string) => string | undefined,
): Entry {
  const { firstKeptEntryId: first } = body
  const kept = body.type === 'compaction' && typeof first === 'string' ? (keptBy(first) ?? first) : first
  const entry = withoutInverse(body)
  if (entry.id === id && entry.parentId === parentId && kept === first) return entry
  return { ...entry, id, parentId, ...(kept !== first && { firstKeptEntryId: kept }) }
}

/** Labels and names are lines that every tool knows. What undo needs of ours is only for us. */
function withoutInverse(entry: Entry): Entry {
  const isLine = entry.type === 'label' || entry.type === 'session_info'
  if (!isLine || !Array.isArray(entry.inverse)) return entry
  const { inverse: _, by: _by, undoes: _undoes, auto: _auto, ...rest } = entry
  return rest as Entry
}

function above(id: string | null, lost: ReadonlyMap<string, string | null>): string | null {
  let at = id
  while (at !== null && lost.has(at)) at = lost.get(at)!
  return at
}

/** What label entries are about, by ref. */
async function readLabelTargets(session: Session): Promise<ReadonlyMap<number, string>> {
  const { ids, columns } = session.tree
  const targets = new Map<number, string>()
  const labels = Array.from({ length: ids.count }, (_, ref) => ref).filter(
    (ref) => ref > ROOT && columns.kind[ref] === Kind.label && columns.has(ref, Flag.known),
  )
  for (let start = 0; start < labels.length; start += ENTRIES_PER_READ) {
    const batch = labels.slice(start, start + ENTRIES_PER_READ)
    const entries = await session.readEntries(batch.map((ref) => ids.textOf(ref)))
    entries.forEach((entry, i) => {
      if (typeof entry?.targetId === 'string') targets.set(batch[i]!, entry.targetId)
    })
  }
  return targets
}

function findLeaf(tree: Tree, id: string | null): number {
  if (id === null) return ROOT
  const ref = tree.ids.find(id)
  if (ref > ROOT && tree.columns.has(ref, Flag.known)) return tree.columns.seatOf(ref)
  throw unknownNode(id)
}
