import { type Entry, type EntryDraft, Flag, ROOT } from '@treeline/core'
import { openFileStore } from '@treeline/store'
import { project } from '../../../testing/chat-terminal.ts'

function says(id: string, role: 'user' | 'assistant', content: unknown): EntryDraft {
  const end = role === 'assistant' ? { stopReason: 'stop' } : {}
  return { id, type: 'message', message: { role, content, timestamp: 1, ...end } }
}

export const text = (words: string) => [{ type: 'text', text: words }]

/** u1 → a1 → { u2 → a2, u3 → a3 }, the leaf at a3: said before, to be gone on with by `-c`. `first` is what u1 said. */
export async function seededChat(env?: Readonly<Record<string, string>>, first: unknown = text('Plan a trip')) {
  const made = project({ TREELINE_DEMO_DELAY_MS: '0', ...env })
  await using store = await openFileStore({ home: made.home })
  await using session = await store.create({ cwd: made.cwd, title: 'Trip' })
  const answer = (id: string, words: string) => says(id, 'assistant', text(words))
  await session.appendAll([says('u1', 'user', first), answer('a1', 'Where to?')])
  await session.appendAll([says('u2', 'user', text('North')), answer('a2', 'Take a coat')])
  await session.branch('a1')
  await session.appendAll([says('u3', 'user', text('South')), answer('a3', 'Take a hat')])
  return made
}

/** What the log says, whoever else has it open. */
export async function readLog(home: string) {
  await using store = await openFileStore({ home })
  const [only] = await store.list()
  await using session = await store.open(only!.id!, { readOnly: true })
  const { columns, ids, edits } = session.tree
  const entries: Entry[] = []
  for await (const { id } of session.entries()) entries.push((await session.readFull(id))!.entry)
  return {
    leafId: session.leafId,
    /** The node at the leaf, below which a model may have been chosen. */
    nodeId: session.leafId === null ? null : ids.textOf(columns.ownerOf(ids.find(session.leafId))),
    entries,
    /** With their large parts. */
    last: (type: string) => entries.findLast((entry) => entry.type === type),
    childrenOf: (id: string | null) =>
      columns.children(id === null ? ROOT : ids.find(id)).map((ref) => ids.textOf(ref)),
    isMuted: (id: string) => columns.has(ids.find(id), Flag.muted),
    labelOf: (id: string) => edits.labels.get(id)?.label,
  }
}
