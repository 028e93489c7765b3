import { type Fragment, Kind, listFragments, placeOf, ROOT } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { Sink, WriteOptions, Writer } from '../format.ts'
import type { FormatNote } from '../note.ts'
import { REDACTION_NOTICE, redact, redactEntry } from '../redact/redact.ts'
import { type Chosen, chooseNodes, idOf } from '../transcript/chosen.ts'
import { readNodes } from '../transcript/read-nodes.ts'
import { sessionFacts } from '../transcript/session-facts.ts'
import { changeOf, type JsonChange, nodeOf } from './document.ts'

/**
 * One document for programs, of the shape in `document.ts`, after all edits. Keys are only ever added to it; `version`
 * changes when one means something else.
 */
export const jsonWriter: Writer = {
  name: 'json',
  title: 'One JSON document for programs',
  extension: '.json',
  write,
}

interface Task {
  readonly session: Session
  readonly chosen: Chosen
  readonly sink: Sink
  readonly redact: boolean
  readonly notes: FormatNote[]
}

async function write(session: Session, sink: Sink, options: WriteOptions): Promise<readonly FormatNote[]> {
  const notes: FormatNote[] = []
  const chosen = chooseNodes(session, options, notes)
  if (options.redact === true) notes.push({ kind: 'info', message: REDACTION_NOTICE })
  const task: Task = { session, chosen, sink, redact: options.redact === true, notes }
  await sink(`{"format":"treeline-session","version":1,\n"session":${JSON.stringify(describeSession(task))},\n`)
  await sink(`"leafId":${JSON.stringify(idOf(chosen.tree, chosen.tree.columns.ownerOf(chosen.leaf)))},\n`)
  await writeList(sink, 'nodes', nodesOf(task, chosen.nodes))
  await sink(',\n')
  await writeList(sink, 'changes', changesOf(task))
  await sink(',\n"stash":[')
  const fragments = chosen.withBranches ? listFragments(chosen.tree) : []
  for (const [i, fragment] of fragments.entries()) await writeFragment(task, fragment, i === 0)
  await sink(']\n}\n')
  return notes
}

function describeSession({ session, redact: isRedacted }: Task): object {
  const { id, parentSession } = session.header
  const { name, cwd, createdAt } = sessionFacts(session, isRedacted)
  return {
    id,
    cwd,
    name: name === '' ? null : name,
    createdAt,
    ...(parentSession !== undefined && { parentSession }),
    ...(isRedacted && { redacted: REDACTION_NOTICE }),
  }
}

async function* nodesOf(task: Task, refs: readonly number[]): AsyncGenerator<object> {
  const { session, chosen, notes, redact: isRedacted } = task
  for await (const view of readNodes(session, chosen.tree, refs, { redact: isRedacted, notes })) {
    yield nodeOf(view)
  }
}

/** What acts on the paths below it without being a node: model changes and the like, in the order of the log. */
async function* changesOf({ session, chosen, redact: isRedacted }: Task): AsyncGenerator<JsonChange> {
  const { tree } = chosen
  const { columns } = tree
  const wanted = new Set(chosen.nodes)
  const ids: string[] = []
  for (let row = 0; row < tree.rowCount; row++) {
    const ref = tree.refAtRow(row)
    const kind = columns.kind[ref]! as Kind
    if (placeOf(kind) !== 'path' || kind === Kind.generation) continue
    const owner = columns.ownerOf(ref)
    if (owner === ROOT || wanted.has(owner)) ids.push(tree.ids.textOf(ref))
  }
  for (const id of ids) {
    const entry = await session.readEntry(id)
    const nodeId = idOf(tree, columns.ownerOf(tree.ids.find(id)))
    if (entry !== undefined) yield changeOf(isRedacted ? redactEntry(entry) : entry, nodeId)
  }
}

async function writeFragment(task: Task, fragment: Fragment, isFirst: boolean): Promise<void> {
  const { tree } = task.chosen
  const { fragmentId, title, fromParentId, createdAt } = fragment
  const shown = title !== undefined && task.redact ? redact(title) : title
  const about = { id: fragmentId, title: shown ?? null, fromParentId, prunedAt: createdAt }
  await task.sink(`${isFirst ? '\n' : ',\n'}${JSON.stringify(about).slice(0, -1)},`)
  await writeList(task.sink, 'nodes', nodesOf(task, [...tree.columns.subtree(tree.ids.find(fragmentId))]))
  await task.sink('}')
}

const BATCH_CHARS = 64 * 1024

async function writeList(sink: Sink, key: string, items: AsyncIterable<object>): Promise<void> {
  let text = `${JSON.stringify(key)}:[`
  let separator = '\n'
  for await (const item of items) {
    text += separator + JSON.stringify(item)
    separator = ',\n'
    if (text.length < BATCH_CHARS) continue
    await sink(text)
    text = ''
  }
  await sink(`${text}\n]`)
}
