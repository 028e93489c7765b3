import { Flag, nodePath, plainText, ROOT, textOf } from '@treeline/core'
import type { Sink } from '@treeline/formats'
import type { Session } from '@treeline/store'
import { roleOfNode } from '../../wire/node-role.ts'

const NODES_PER_READ = 64

/** The path to a node as plain words, without what is muted: who said it, then what. No byte of it drives a terminal (K4). */
export async function writeTextTranscript(session: Session, sink: Sink, leafId: string | null): Promise<void> {
  const { tree } = session
  const leaf = leafId === null ? ROOT : tree.ids.find(leafId)
  const shown = nodePath(tree, leaf).filter((ref) => !tree.columns.has(ref, Flag.muted))
  await sink(`${oneLine(session.name ?? 'Conversation')}\n\n`)
  for (let start = 0; start < shown.length; start += NODES_PER_READ) {
    const refs = shown.slice(start, start + NODES_PER_READ)
    const entries = await session.readEntries(refs.map((ref) => tree.ids.textOf(ref)))
    for (const [i, entry] of entries.entries()) {
      if (entry === undefined) continue
      const full = entry.treelineFull === undefined ? entry : ((await session.readFull(entry.id))?.entry ?? entry)
      await sink(`${roleOfNode(tree, refs[i]!)}:\n${plainText(textOf(full)).trim()}\n\n`)
    }
  }
}

function oneLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim()
}
