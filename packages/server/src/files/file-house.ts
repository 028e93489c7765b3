import { TreelineError } from '@treeline/core'
import { type Home, listTrash, purgeTrash, trashSession } from '@treeline/store'
import type { House } from '../services.ts'
import { fileTrash } from './file-trash.ts'

/** Removal from a home on disk: to its trash, and out of that, each with its line in the audit (R1). */
export function fileHouse(home: Home): House {
  const reasonOf = (by: string): string => `asked for over HTTP by ${by}`

  async function purgeItem(trashId: string): Promise<void> {
    const { failed } = await purgeTrash(home, { trashId })
    for (const { problem } of failed) throw new TreelineError('session_locked', `It is in the trash still: ${problem}`)
  }

  return {
    ...fileTrash(home, reasonOf),
    async trash(sessionId, by) {
      await trashSession(home, sessionId, { reason: reasonOf(by) })
    },
    async purge(sessionId, by) {
      const inTrash = (await listTrash(home)).filter((item) => item.sessionId === sessionId)
      const trashed = await trashUnlessMissing(() =>
        trashSession(home, sessionId, { reason: reasonOf(by), force: true }),
      )
      if (trashed === undefined && inTrash.length === 0) {
        throw new TreelineError('session_not_found', `There is no session ${sessionId}, nor is it in the trash.`)
      }
      for (const { trashId } of trashed === undefined ? inTrash : [trashed, ...inTrash]) await purgeItem(trashId)
    },
  }
}

async function trashUnlessMissing<T>(trash: () => Promise<T>): Promise<T | undefined> {
  try {
    return await trash()
  } catch (error) {
    if (error instanceof TreelineError && error.code === 'session_not_found') return undefined
    throw error
  }
}
