import { Flag, ROOT, refuseId, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { AgentEnv } from '../env.ts'
import { type Announcement, announceAnswer, withdrawAnswer } from '../turn/announce.ts'
import { isRunningHere } from '../turn/running.ts'

/**
 * Announces all of them or none: those that were announced when one could not be are ended, and no model is asked. What
 * they answer may be said in the same breath.
 */
export async function announceAll(
  env: AgentEnv,
  session: Session,
  wanted: readonly Announcement[],
  say?: () => Promise<unknown>,
): Promise<readonly string[]> {
  refuseIds(session, wanted)
  // Asked for one behind the other, they are written one behind the other.
  const asking = say?.()
  // Listened to from the start: one may be refused while the others are still being written.
  const placing = Promise.allSettled(wanted.map((one) => announceAnswer(session, one)))
  const [asked] = await Promise.allSettled([asking])
  const said = await placing
  const failed = [asked, ...said].find((one) => one.status === 'rejected')
  if (failed === undefined) return said.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const code = failed.reason instanceof TreelineError ? failed.reason.code : 'internal'
  const message = 'Not generated: another answer that was asked for together with it could not be announced.'
  const why = { code, message, at: env.clock.now() }
  await Promise.all(
    said.map(async (one, i) => {
      if (one.status === 'fulfilled') await withdrawAnswer(session, { ...wanted[i]!, nodeId: one.value }, why)
    }),
  )
  throw failed.reason
}

/** Before anything is written: a caller's own ids have to be usable, new, and each its own. */
function refuseIds({ id, tree }: Session, wanted: readonly Announcement[]): void {
  const taken = new Set<string>()
  for (const { nodeId } of wanted) {
    if (nodeId === undefined) continue
    refuseId(tree, nodeId)
    // One that is being generated here may not be in the tree yet.
    if (taken.has(nodeId) || isRunningHere(id, nodeId) || isGenerating(tree, nodeId)) {
      const message = `The id ${nodeId} is that of another answer of this session.`
      throw new TreelineError('id_in_use', message, { nodeIds: [nodeId] })
    }
    taken.add(nodeId)
  }
}

function isGenerating({ ids, columns }: Session['tree'], nodeId: string): boolean {
  const ref = ids.find(nodeId)
  return ref > ROOT && columns.has(ref, Flag.generating)
}
