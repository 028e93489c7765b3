import { tell } from '../shell/notices.ts'
import { isListInSight } from '../shell/sidebar.ts'
import { createStore } from '../state/store.ts'
import { explainProblem } from '../words/explain-problem.ts'
import { type Imported, sendFile } from './send-file.ts'
import { openSession } from './session-actions.ts'

/** A file on its way in, and what became of it. */
export interface FileImport {
  readonly id: number
  readonly name: string
  /** How much of it is sent, from 0 to 1. */
  readonly share: number
  readonly done?: Imported
  readonly problem?: string
}

export const imports = createStore<readonly FileImport[]>([])

let nextId = 1

/** One after the other: each is read whole before the next, and what comes of the last is opened. */
export async function importFiles(files: readonly File[]): Promise<void> {
  const begun = files.map((file) => ({ file, entry: { id: nextId++, name: file.name, share: 0 } }))
  imports.update((all) => [...all, ...begun.map(({ entry }) => entry)])
  let lastId: string | undefined
  for (const { file, entry } of begun) {
    try {
      const done = await sendFile(file, (share) => change(entry.id, { share }))
      change(entry.id, { share: 1, done })
      lastId = done.sessionId
    } catch (error) {
      const problem = explainProblem(error)
      change(entry.id, { problem })
      // The list tells it, where there is one to see.
      if (!isListInSight()) tell(`${entry.name}: ${problem}`, { kind: 'problem' })
    }
  }
  if (lastId !== undefined) openSession(lastId)
}

export function dismissImport(id: number): void {
  imports.update((all) => all.filter((one) => one.id !== id))
}

function change(id: number, what: Partial<FileImport>): void {
  imports.update((all) => all.map((one) => (one.id === id ? { ...one, ...what } : one)))
}
