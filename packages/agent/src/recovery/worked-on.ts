import { TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import { isRunningHere } from '../turn/running.ts'

/** Whether somebody who lives works on a node: this process, or one of those that wrote so. */
export type IsWorkedOn = (nodeId: string, ...writers: readonly (string | undefined)[]) => boolean

/** Where it cannot be known it counts as so: what is left alone today can be closed tomorrow. */
export function workedOnIn(session: Session, problems: TreelineError[]): IsWorkedOn {
  const known = new Map<string, boolean>()
  const ask = (writer: string): boolean => {
    try {
      return session.isWriterAlive(writer)
    } catch (error) {
      if (!(error instanceof TreelineError)) throw error
      problems.push(error)
      return true
    }
  }
  const isAlive = (writer: string): boolean => {
    // What this process is not working on any more, it will not finish.
    if (writer === session.writer) return false
    let isSo = known.get(writer)
    if (isSo === undefined) {
      isSo = ask(writer)
      known.set(writer, isSo)
    }
    return isSo
  }
  return (nodeId, ...writers) =>
    isRunningHere(session.id, nodeId) || writers.some((writer) => writer !== undefined && isAlive(writer))
}

/** Who says in an announcement or an attempt that it does something. */
export function writerOf(data: unknown): string | undefined {
  const { writer } = (data ?? {}) as { readonly writer?: unknown }
  return typeof writer === 'string' ? writer : undefined
}
