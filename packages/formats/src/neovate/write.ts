import { ROOT } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { Writer } from '../format.ts'
import type { FormatNote } from '../note.ts'
import { NoteList } from '../note-list.ts'
import { REDACTION_NOTICE } from '../redact/redact.ts'
import { chooseNodes } from '../transcript/chosen.ts'
import { BATCH, Bodies } from './bodies.ts'
import { KeptLines } from './kept-lines.ts'
import { learnNodes } from './learn-nodes.ts'
import { LineSink } from './line-sink.ts'
import { NodeLines } from './node-lines.ts'
import { newSettings } from './settings.ts'
import { noteUnsaid } from './unsaid.ts'
import { WritePlan } from './write-plan.ts'

/** A session as Neovate 0.17 reads it. What was read from a Neovate file is written as it was. */
export const neovateWriter: Writer = {
  name: 'neovate',
  title: 'Neovate session',
  extension: '.jsonl',
  async write(session, sink, options) {
    const notes: FormatNote[] = []
    const counted = new NoteList()
    const { nodes, ...chosen } = chooseNodes(session, options, notes)
    const plan = new WritePlan({ nodes, ...chosen })
    const bodies = new Bodies(session, plan.tree, notes)
    const out = new LineSink(sink, options.redact === true, notes)
    const hasRecords = await learnNodes(plan, nodes, bodies, counted)
    const items = plan.order()
    const others = items.filter(({ isNode }) => !isNode).map(({ ref }) => ref)
    const kept = await KeptLines.read(session, others, bodies, out)
    const isOurs = nodes.length > 0 && !hasRecords && kept.isEmpty
    if (!kept.hasSettings && (isOurs || wasSet(session))) await out.put(newSettings(session))
    await kept.writeFirst()
    if (plan.last === ROOT && nodes.some((ref) => plan.isLine(ref))) {
      const message = 'The conversation is to begin anew. Neovate goes on from the last line of the file all the same.'
      notes.push({ kind: 'changed', message })
    }
    const lines = new NodeLines({ sessionId: session.id, plan, bodies, out, notes: counted })
    for (const [i, { ref, isNode }] of items.entries()) {
      if (i % BATCH === 0) await bodies.readAhead(items.slice(i, i + BATCH).map((item) => item.ref))
      if (isNode) await lines.write(ref)
      else await kept.write(ref)
    }
    noteUnsaid(plan.tree, counted)
    if (options.redact) notes.push({ kind: 'changed', message: REDACTION_NOTICE })
    return [...notes, ...counted.all()]
  },
}

/** What was read without a config line is written without one, as long as there is nothing to say in it. */
function wasSet({ tree: { edits } }: Session): boolean {
  return edits.config.size > 0 || typeof edits.name === 'string'
}
