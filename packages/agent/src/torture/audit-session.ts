import { readFileSync } from 'node:fs'
import { type Entry, Flag, type Tree } from '@treeline/core'
import { checkLog, openHome, type Session } from '@treeline/store'
import { lineFaults } from '../testing/line-faults.ts'
import type { Heard } from './killed-process.ts'

/** Everything that was told of is in the tree, once, and the log is sound but for a torn end. Returns what is wrong. */
export async function auditTold(home: string, session: Session, heard: readonly Heard[]): Promise<string[]> {
  const { tree } = session
  const wrong: string[] = []
  const ids = Array.from({ length: tree.rowCount }, (_, row) => tree.ids.textOf(tree.refAtRow(row)))
  if (new Set(ids).size !== ids.length) wrong.push('an id is there twice')
  const attempted = new Set((await readAll(session)).map(attemptOf))
  for (const event of heard) {
    const missing = await findMissing(session, event, attempted)
    if (missing) wrong.push(`told but not there: ${JSON.stringify(event)}`)
  }
  using place = openHome({ home })
  const { verdict, findings } = await checkLog(place, session.path)
  const isTornOnly = findings.every(({ code }) => code === 'torn_tail')
  if (verdict !== 'sound' && !isTornOnly) wrong.push(`the log is ${verdict}: ${JSON.stringify(findings)}`)
  return wrong
}

/** Whether something that was told of is not in the tree. */
export async function findMissing(
  session: Session,
  event: Heard,
  attempted: ReadonlySet<string | undefined>,
): Promise<boolean> {
  const { tree } = session
  switch (event.type) {
    case 'prompted':
    case 'tool_done':
    case 'compacted':
      return (await session.readEntry(event.nodeId)) === undefined
    case 'started':
      return !isKnown(tree, event.nodeId)
    case 'finished':
    case 'failed': {
      const { stopReason } = ((await session.readEntry(event.nodeId))?.message ?? {}) as { stopReason?: string }
      return stopReason !== (event.type === 'finished' ? event.stopReason : event.isCancelled ? 'aborted' : 'error')
    }
    case 'tool_started':
      return !attempted.has(event.toolCallId)
    default:
      return false
  }
}

/** D6: no tool has begun without a line that says so; P18: none has begun twice. */
export async function auditEffects(session: Session, effects: string): Promise<string[]> {
  const begun = readEffects(effects)
    .filter((line) => line.startsWith('begun '))
    .map((line) => line.slice(6))
  const attempted = new Set((await readAll(session)).map(attemptOf))
  return [
    ...begun.filter((id) => !attempted.has(id)).map((id) => `${id} ran and nothing says so`),
    ...begun.filter((id, i) => begun.indexOf(id) !== i).map((id) => `${id} ran twice`),
  ]
}

/** The line can be sent as it is. */
export async function auditLine(session: Session): Promise<string[]> {
  const { messages, nodes } = await session.line()
  const repaired = nodes.filter((node) => node.in && node.repairs !== undefined)
  return [...lineFaults(messages), ...repaired.map((node) => `repaired: ${JSON.stringify(node)}`)]
}

export function readEffects(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').filter(Boolean)
}

export async function readAll(session: Session): Promise<Entry[]> {
  const found: Entry[] = []
  for await (const entry of session.entries()) found.push(entry)
  return found
}

export function attemptOf({ customType, data }: Entry): string | undefined {
  if (customType !== 'treeline/attempt') return undefined
  return (data as { readonly toolCallId?: string }).toolCallId
}

function isKnown({ ids, columns }: Tree, nodeId: string): boolean {
  const ref = ids.find(nodeId)
  return ref > 0 && columns.has(ref, Flag.known)
}
