import { preview, TreelineError } from '@treeline/core'
import { idSchema, type TrashedSession } from '@treeline/protocol'
import { type Home, listTrash, restoreFromTrash, summariseTrashed, type TrashItem } from '@treeline/store'
import type { House } from '../services.ts'

const PREVIEW_CHARS = 200

/** The trash of a home on disk: what is in it, and the way back out of it. */
export function fileTrash(home: Home, reasonOf: (by: string) => string): Pick<House, 'listTrash' | 'restore'> {
  // A log in the trash does not change, and to learn what it is called all of it is read.
  const known = new Map<string, TrashedSession | undefined>()

  async function describe(item: TrashItem): Promise<TrashedSession | undefined> {
    if (!known.has(item.trashId)) known.set(item.trashId, await describeItem(home, item))
    return known.get(item.trashId)
  }

  async function find(sessionId: string, trashId: string | undefined): Promise<TrashItem | undefined> {
    for (const item of await listTrash(home)) {
      const isMeant = trashId === undefined ? item.sessionId === sessionId : item.trashId === trashId
      if (isMeant && (await describe(item))?.sessionId === sessionId) return item
    }
    return undefined
  }

  return {
    async listTrash({ limit, after }) {
      const all = await listTrash(home)
      const ids = new Set(all.map(({ trashId }) => trashId))
      for (const trashId of known.keys()) if (!ids.has(trashId)) known.delete(trashId)
      // Their ids are in the order of time, so that a page begins right also when the last of the one before is gone.
      const rest = all
        .filter(({ trashId }) => after === undefined || trashId < after)
        .sort((a, b) => (a.trashId < b.trashId ? 1 : -1))
      const page = rest.slice(0, limit)
      const items: TrashedSession[] = []
      for (const item of page) {
        const described = await describe(item)
        if (described !== undefined) items.push(described)
        // Others get their turn: a log may be large.
        await new Promise(setImmediate)
      }
      return { items, next: rest.length > page.length ? page.at(-1)?.trashId : undefined }
    },

    async restore(sessionId, by, trashId) {
      const item = await find(sessionId, trashId)
      if (item === undefined) {
        const message = `There is no session ${sessionId} in the trash. GET /api/chat/trash to see what there is.`
        throw new TreelineError('session_not_found', message)
      }
      try {
        await restoreFromTrash(home, item.trashId, { reason: reasonOf(by) })
      } catch (error) {
        // Of two who bring the same one back, the later finds its place taken by it.
        if ((await find(sessionId, item.trashId)) !== undefined) throw error
      }
    },
  }
}

/** `undefined` for what no client could ask for: blobs, and logs whose id cannot be read. */
async function describeItem(home: Home, item: TrashItem): Promise<TrashedSession | undefined> {
  const summary = item.kind === 'session' ? await summariseTrashed(home, item) : undefined
  const id = idSchema.safeParse(summary?.id)
  if (summary === undefined || !id.success) return undefined
  return {
    trashId: item.trashId,
    sessionId: id.data,
    title: summary.name ?? '',
    preview: preview(summary.firstPrompt ?? '', PREVIEW_CHARS),
    trashedAt: item.trashedAt ?? null,
    sizeBytes: item.sizeBytes,
  }
}
