import { type Entry, Flag, ROOT } from '@treeline/core'
import type { Session } from '@treeline/store'
import { damageNotes } from '../damage-notes.ts'
import type { Sink, WriteOptions, Writer } from '../format.ts'
import { isRecord, type JsonRecord, parseRecord, valueAt } from '../kept-record.ts'
import type { FormatNote } from '../note.ts'
import { NoteList } from '../note-list.ts'
import { present } from '../plain-content.ts'
import { REDACTION_NOTICE, redactEntry } from '../redact/redact.ts'
import { tellUnwritten } from '../tell-unwritten.ts'
import { planWriting, readBodies, type WritePlan } from '../write-plan.ts'
import { type DocumentState, NODES, restoreDocument, shapeNamed } from './document-fields.ts'
import type { Shape } from './shape.ts'
import { MARKS, type NodeState, toNode } from './to-node.ts'

/** A `ChatHistoryTree`: a document that came from ComfyTavern as it was, any other session in the form they built. */
export const comfytavernWriter: Writer = { name: 'comfytavern', title: 'ComfyTavern', extension: '.json', write }

/** Everything about the session as a whole. */
interface Writing {
  readonly session: Session
  readonly plan: WritePlan
  readonly written: ReadonlySet<number>
  readonly shape: Shape
  readonly keyOf: (id: string) => string
  readonly notes: NoteList
  readonly redact: boolean
}

async function write(session: Session, sink: Sink, options: WriteOptions): Promise<readonly FormatNote[]> {
  const notes = new NoteList()
  for (const note of damageNotes(session)) notes.add(note)
  if (options.redact) notes.add({ kind: 'changed', message: REDACTION_NOTICE })
  const plan = await planWriting(session, { ...options, isOurs, showsOrder: false })
  const kept = keptDocument(session)
  const shape = shapeNamed(kept?.shape)
  const keys = isRecord(kept?.keys) ? kept.keys : {}
  const keyOf = (id: string): string => {
    const key = valueAt(keys, id)
    return typeof key === 'string' ? key : id
  }
  const redact = options.redact === true
  const writing: Writing = { session, plan, written: new Set(plan.refs), shape, keyOf, notes, redact }
  const state = documentState(writing)
  if (shape.name === 'seed' && state.rootKeys.length > 1) {
    const message = 'The document has one root only. The others are in it, but it does not say that they are roots.'
    notes.add({ kind: 'changed', message })
  }
  const document = restoreDocument(kept?.document, shape, state)
  let before = '{'
  for (const [key, value] of Object.entries(withNodes(document, plan))) {
    await sink(`${before}\n${JSON.stringify(key)}: `)
    before = ','
    if (value === NODES) await writeNodes(writing, sink)
    else await sink(JSON.stringify(redact ? redactEntry({ [key]: value })[key] : value))
  }
  await sink(before === '{' ? '{}\n' : '\n}\n')
  tellUnsaid(writing)
  return notes.all()
}

function isOurs(entry: Entry): boolean {
  return isRecord(entry.comfytavern)
}

function keptDocument({ tree }: Session): JsonRecord | undefined {
  const ext = tree.edits.session.get('ext')
  const kept = isRecord(ext) ? valueAt(ext, 'comfytavern') : undefined
  return isRecord(kept) ? kept : undefined
}

/** A document that had something else there gets nodes once the session has some. */
function withNodes(document: JsonRecord, { refs }: WritePlan): JsonRecord {
  return refs.length === 0 || document.nodes === NODES ? document : { ...document, nodes: NODES }
}

function documentState({ session, plan, written, keyOf }: Writing): DocumentState {
  const { tree, leaf } = plan
  const { columns, heads, ids } = tree
  const roots = [...columns.children(ROOT), ...plan.fragments].filter((ref) => written.has(ref))
  let latestMs = Date.parse(session.header.timestamp) || 0
  for (const ref of plan.refs) latestMs = Math.max(latestMs, heads.timeMs[tree.bodyRow(ref)] || 0)
  return {
    sessionId: session.id,
    title: session.name,
    createdAt: session.header.timestamp,
    updatedAt: new Date(latestMs).toISOString(),
    rootKeys: roots.map((ref) => keyOf(ids.textOf(ref))),
    leafKey: leaf > ROOT && written.has(leaf) ? keyOf(ids.textOf(leaf)) : null,
  }
}

async function writeNodes(writing: Writing, sink: Sink): Promise<void> {
  const { session, plan, shape, keyOf, notes, redact } = writing
  await sink('{')
  let before = '\n'
  for await (const { ref, entry, isWhole } of readBodies(session, plan)) {
    const id = plan.tree.ids.textOf(ref)
    if (entry === undefined) {
      notes.add({ kind: 'damage', message: `Entry ${id} cannot be read and is left out.`, id })
      continue
    }
    if (!isWhole) notes.count('left_out', 'A part of an entry that is kept apart from it is missing', id)
    const lost = (kind: 'changed' | 'left_out', what: string): void => notes.count(kind, what, id)
    const other = otherValue(entry.comfytavern)
    const node = other === undefined ? toNode(entry, shape, stateOf(writing, ref), lost) : other
    const told = redact ? redactEntry(node) : node
    await sink(`${before}${JSON.stringify(keyOf(id))}: ${JSON.stringify(other === undefined ? told : told.value)}`)
    before = ',\n'
  }
  await sink(before === '\n' ? '}' : '\n}')
}

/** What stood among the nodes and was none, as JSON. */
function otherValue(kept: unknown): JsonRecord | undefined {
  const text = isRecord(kept) ? valueAt(kept, 'value') : undefined
  const parsed = typeof text === 'string' ? parseRecord(`{"value":${text}}`) : undefined
  return parsed !== undefined && Object.hasOwn(parsed, 'value') ? parsed : undefined
}

function stateOf({ plan, written, keyOf }: Writing, ref: number): NodeState {
  const { tree, fragments } = plan
  const { columns, edits, ids } = tree
  const key = (child: number): string => keyOf(ids.textOf(child))
  const parentId = plan.parentIdOf(ref)
  const meta = edits.meta.get(ref)
  const from = edits.fragments.get(ref)?.fromParent ?? ROOT
  const stash = fragments.has(ref) ? { fromParentId: from > ROOT ? key(from) : null } : undefined
  const marks = Object.fromEntries(MARKS.map((mark) => [mark, meta?.get(mark)]))
  return {
    key: key(ref),
    parentKey: parentId === null ? null : keyOf(parentId),
    childKeys: columns
      .children(ref)
      .filter((child) => written.has(child))
      .map(key),
    isEnabled: !columns.has(ref, Flag.muted),
    marks: present({ ...marks, label: edits.labels.get(ids.textOf(ref))?.label, stash }),
  }
}

function tellUnsaid({ session, plan, notes }: Writing): void {
  const { edits, ids } = plan.tree
  for (const top of plan.fragments) {
    notes.count('changed', 'A fragment in the stash is written as a root, with a mark in its metadata', ids.textOf(top))
  }
  for (const ref of plan.refs) {
    const unsaid = [...(edits.meta.get(ref)?.keys() ?? [])].filter((key) => !MARKS.includes(key))
    const what = `What is said about a node is left out: ${unsaid.join(', ')}`
    if (unsaid.length > 0) notes.count('left_out', what, ids.textOf(ref))
  }
  tellUnwritten(session, plan, notes)
}
