import type { ApprovalAnswer, ApprovalQuestion, AskApproval } from '@treeline/agent'
import { TreelineError } from '@treeline/core'
import { APPROVAL_TYPE } from '../wire/approval-event.ts'
import { toApprovalId } from '../wire/approval-id.ts'
import type { Hub } from './hub.ts'

/** Questions whether a tool may run, while the tool waits for somebody to answer. */
export interface Approvals {
  /** For the agent. */
  readonly ask: AskApproval
  /** Throws `approval_not_found` when nothing waits for it. */
  resolve(sessionId: string, approvalId: string, answer: ApprovalAnswer): void
  /** The sessions that questions are asked in. Until then every question is denied. */
  connect(hub: Pick<Hub, 'use'>): void
}

/** What cannot be shown whole is not asked about (rule 13): the log would cut it, and no frame could hold it. */
const MAX_SHOWN_CHARS = 250_000
/** The call itself tells what is longer. */
const MAX_INPUT_CHARS = 65_536

/**
 * Asks by a line in the session’s log, which all who follow it get as an event, and waits for whoever answers first. Give
 * `ask` to `createAgent` and the whole to `startServer`. The decision is written by the agent.
 */
export function createApprovals(): Approvals {
  const waiting = new Map<string, (answer: ApprovalAnswer) => void>()
  let sessions: Pick<Hub, 'use'> | undefined

  const write = async (question: ApprovalQuestion, data: object): Promise<void> => {
    const { sessionId, nodeId, toolCallId, toolName } = question
    const about = { toolCallId, nodeId, name: toolName, ...data }
    // Under the answer that asks: the leaf may be another, that is still being generated.
    const place = { parentId: nodeId, leaf: 'stay' } as const
    await sessions!.use(sessionId, ({ session }) => {
      const { writer } = session
      const entry = { type: 'custom', customType: APPROVAL_TYPE, data: { ...about, ...(writer && { writer }) } }
      return session.append(entry, place)
    })
  }

  const ask: AskApproval = async (question, signal) => {
    const shown = shownOf(question)
    if (sessions === undefined) return { decision: 'deny', reason: 'it needs an approval, and nobody is there yet.' }
    if (shown.length > MAX_SHOWN_CHARS) {
      const reason = `it is too long to be shown whole (${shown.length} characters), so nobody can be asked about it.`
      return { decision: 'deny', reason }
    }
    const key = keyOf(question.sessionId, toApprovalId(question.nodeId, question.toolCallId))
    const { promise, resolve, reject } = Promise.withResolvers<ApprovalAnswer>()
    const stop = (): void => reject(signal.reason)
    // Before the question is told: an answer to it finds who waits.
    waiting.set(key, resolve)
    signal.addEventListener('abort', stop, { once: true })
    promise.catch(() => {})
    try {
      signal.throwIfAborted()
      await write(question, { ...inputOf(question), shown })
      return await promise
    } catch (error) {
      // Whoever shows the question takes it away.
      if (signal.aborted) await write(question, { decision: 'deny', reason: 'The generation was cancelled.' })
      throw error
    } finally {
      signal.removeEventListener('abort', stop)
      if (waiting.get(key) === resolve) waiting.delete(key)
    }
  }

  return {
    ask,
    resolve(sessionId, approvalId, answer) {
      const key = keyOf(sessionId, approvalId)
      const answered = waiting.get(key)
      if (answered === undefined) {
        const message = `Nothing waits for the approval ${approvalId}: it was answered, or what asked for it has ended.`
        throw new TreelineError('approval_not_found', message)
      }
      waiting.delete(key)
      answered(answer)
    },
    connect(hub) {
      sessions = hub
    },
  }
}

function keyOf(sessionId: string, approvalId: string): string {
  return `${sessionId}/${approvalId}`
}

/** Exactly what will run; tools spell out in it what a reader would not see. */
function shownOf({ preview: { title, body } }: ApprovalQuestion): string {
  return body === undefined ? title : `${title}\n${body}`
}

function inputOf({ input }: ApprovalQuestion): { readonly input?: unknown } {
  return JSON.stringify(input ?? null).length <= MAX_INPUT_CHARS ? { input } : {}
}
