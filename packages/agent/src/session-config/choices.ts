import { TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import { THINKING_LEVELS, type ThinkingLevel } from '../models/model.ts'
import { parseModelRef } from '../models/model-ref.ts'
import type { ApprovalMode } from '../tools/approval.ts'
import { ownSince } from '../tools/decide.ts'

const APPROVAL_MODES: readonly string[] = ['default', 'autoEdit', 'yolo'] satisfies readonly ApprovalMode[]

/**
 * From here on, on this path (S9): other branches keep their model. Read back as the state of a line or a context.
 *
 * @example
 * await setModel(session, 'openai/gpt-5.1')
 * const { state } = await session.line() // state.models.default
 */
export async function setModel(session: Session, ref: string, role = 'default'): Promise<void> {
  parseModelRef(ref)
  if (!/^[A-Za-z][\w-]{0,63}$/.test(role)) throw refused(role, 'a role', 'Use letters and digits')
  await session.append({ type: 'model_change', model: ref, role })
}

/** From here on, on this path (S23). */
export async function setThinkingLevel(session: Session, level: ThinkingLevel): Promise<void> {
  if (!THINKING_LEVELS.includes(level)) throw refused(level, 'a thinking level', `Use ${THINKING_LEVELS.join(', ')}`)
  await session.append({ type: 'thinking_level_change', thinkingLevel: level })
}

/** A way of working, `plan` for one, from here on, on this path (S23); `none` ends it. */
export async function setMode(session: Session, mode: string, data?: Readonly<Record<string, unknown>>): Promise<void> {
  if (mode.trim() === '') throw refused(mode, 'a mode', 'Use "none" to end one')
  await session.append({ type: 'mode_change', mode, ...(data !== undefined && { data }) })
}

/** For the whole session, whatever the branch (N24): what a person allows is not taken back by looking elsewhere. */
export async function setApprovalMode(session: Session, mode: ApprovalMode): Promise<void> {
  if (!APPROVAL_MODES.includes(mode)) throw refused(mode, 'an approval mode', `Use ${APPROVAL_MODES.join(', ')}`)
  // What is said from here on is said here, wherever the session came from.
  ownSince(session)
  await session.setConfig({ approvalMode: mode })
}

function refused(value: string, what: string, remedy: string): TreelineError {
  return new TreelineError(
    'validation_failed',
    `${JSON.stringify(String(value).slice(0, 80))} is not ${what}. ${remedy}.`,
  )
}
