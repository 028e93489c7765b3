import { type AssistantMessage, Flag, isSafeId, type Tree, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import { readPartial } from '../turn/partial-text.ts'
import { NO_USAGE } from '../turn/usage.ts'
import { type IsWorkedOn, writerOf } from './worked-on.ts'

export interface ClosedAnswer {
  readonly nodeId: string
  /** How much of its text was kept. */
  readonly chars: number
}

interface Announced {
  readonly model: string
  readonly writer: string | undefined
}

/** Ends every answer whose process is gone, on whatever branch, with the text that was kept of it. */
export async function closeInterrupted(
  session: Session,
  isWorkedOn: IsWorkedOn,
  problems: TreelineError[],
): Promise<{ readonly closed: ClosedAnswer[]; readonly runningIds: string[] }> {
  const closed: ClosedAnswer[] = []
  const runningIds: string[] = []
  for (const nodeId of listGenerating(session.tree)) {
    const announced = await readAnnounced(session, nodeId)
    if (isWorkedOn(nodeId, announced.writer)) runningIds.push(nodeId)
    else {
      const chars = await closeAnswer(session, nodeId, announced, problems)
      if (chars !== undefined) closed.push({ nodeId, chars })
    }
  }
  return { closed, runningIds }
}

export function listGenerating({ columns, ids }: Tree): string[] {
  const found: string[] = []
  for (let ref = 1; ref < ids.count; ref++) if (columns.has(ref, Flag.generating)) found.push(ids.textOf(ref))
  return found
}

export async function readAnnounced(session: Session, nodeId: string): Promise<Announced> {
  const { tree } = session
  const line = await session.readEntry(tree.anchorId(tree.ids.find(nodeId)) ?? nodeId)
  const { model } = (line?.data ?? {}) as { readonly model?: unknown }
  return { model: typeof model === 'string' ? model : '', writer: writerOf(line?.data) }
}

/** `undefined` when somebody else was quicker, or it cannot be done. */
async function closeAnswer(
  session: Session,
  nodeId: string,
  announced: Announced,
  problems: TreelineError[],
): Promise<number | undefined> {
  if (!isSafeId(nodeId)) {
    const message = 'An answer stays unfinished: the id it was announced under cannot be that of an entry. Prune it.'
    problems.push(new TreelineError('invalid_entry', message, { nodeIds: [nodeId] }))
    return undefined
  }
  const kept = await readKept(session, nodeId, problems)
  if (kept === undefined) return undefined
  const content = readPartial(kept)
  const message: AssistantMessage & Readonly<Record<string, unknown>> = {
    role: 'assistant',
    content,
    ...modelOf(announced),
    usage: NO_USAGE,
    stopReason: 'error',
    errorMessage: 'Interrupted: the process that was generating this answer ended before it was complete.',
    errorCode: 'provider_error',
    isInterrupted: true,
    timestamp: Date.now(),
  }
  try {
    await session.append({ type: 'message', id: nodeId, message }, { leaf: { ifAt: nodeId } })
  } catch (error) {
    if (error instanceof TreelineError && error.code === 'id_in_use') return undefined
    throw error
  }
  return content.reduce((chars, block) => chars + (block.type === 'text' ? block.text.length : 0), 0)
}

/** Text that is there and cannot be read now is worth waiting for: closing the answer would be the end of it. */
async function readKept(session: Session, nodeId: string, problems: TreelineError[]): Promise<string | undefined> {
  try {
    return (await session.partials?.read(nodeId)) ?? ''
  } catch (error) {
    if (!(error instanceof TreelineError)) throw error
    problems.push(error)
    return undefined
  }
}

/** Who answers is who is asked next (S23): nobody, where the announcement does not name one. */
function modelOf({ model }: Announced): { readonly provider?: string; readonly model?: string } {
  const slash = model.indexOf('/')
  return slash <= 0 ? {} : { provider: model.slice(0, slash), model: model.slice(slash + 1) }
}
