import type { Tree } from '@treeline/core'
import type { Session, SessionConfig } from '@treeline/store'
import type { Settings } from '../settings/settings.ts'
import type { ApprovalMode } from './approval.ts'
import type { AnyTool } from './tool.ts'

/** What the user has allowed so far. */
export interface Allowed {
  readonly mode: ApprovalMode
  /** Names of tools that need no question in this session (N25). */
  readonly whitelist: readonly string[]
}

/**
 * A session that has set its own mode keeps it; any other follows the settings. A mode that came from elsewhere can make
 * things stricter, and no more. Nothing is allowed beyond `max`.
 */
export function readAllowed(
  session: Session,
  settings: Pick<Settings, 'approvalMode'>,
  max: ApprovalMode = 'yolo',
): Allowed {
  const { config, tree } = session
  const { approvalMode, approvalTools } = readOwn(config, tree, ownSince(session))
  const given = tree.edits.config.has('approvalMode') ? config.approvalMode : settings.approvalMode
  const mode = approvalMode ?? stricter(given, settings.approvalMode)
  return { mode: stricter(mode, max), whitelist: approvalTools }
}

const MODES: readonly ApprovalMode[] = ['default', 'autoEdit', 'yolo']

function stricter(a: ApprovalMode, b: ApprovalMode): ApprovalMode {
  return MODES.indexOf(a) < MODES.indexOf(b) ? a : b
}

/** The last edit that sessions from elsewhere had when they were first looked at here, by its line. */
const givenLines = new WeakMap<Session, number>()

/**
 * Behind which line what a session allows was allowed here. A file that came from elsewhere can say anything, also that its
 * user has answered: of such a session only what is answered while it is open counts. Ask before an answer is written.
 */
export function ownSince(session: Session): number {
  if (!session.isInPlace && session.header.parentSession === undefined) return 0
  const line = givenLines.get(session) ?? session.tree.edits.records.at(-1)?.line ?? 0
  givenLines.set(session, line)
  return line
}

/**
 * What somebody allowed in this session. What came with it by a fork or an import was allowed elsewhere, perhaps by
 * somebody else, and does not count.
 */
export function readOwn(
  config: Pick<SessionConfig, 'approvalMode' | 'approvalTools'>,
  { edits }: Tree,
  since: number,
): { readonly approvalMode?: ApprovalMode; readonly approvalTools: readonly string[] } {
  const isOwn = (key: string): boolean => {
    const line = edits.config.has(key) ? edits.stamps.get(`config:${key}`) : undefined
    if (line === undefined || line <= since) return false
    return edits.records.findLast((record) => record.line === line)?.auto === false
  }
  return {
    ...(isOwn('approvalMode') && { approvalMode: config.approvalMode }),
    approvalTools: isOwn('approvalTools') ? config.approvalTools : [],
  }
}

export interface Decision extends Allowed {
  readonly tool: Pick<AnyTool, 'name' | 'effect'>
  /** As the call's preview says. */
  readonly isOutsideProject?: boolean | undefined
}

/**
 * Whether a call runs or the user is asked first (N24, N25). Edits outside the project are asked about however freely
 * edits were allowed: who allowed them meant the project.
 */
export function decide({ tool, mode, whitelist, isOutsideProject }: Decision): 'run' | 'ask' {
  if (mode === 'yolo' || tool.effect === 'read') return 'run'
  if (tool.effect === 'edit' && isOutsideProject === true) return 'ask'
  if (whitelist.includes(tool.name)) return 'run'
  return tool.effect === 'edit' && mode === 'autoEdit' ? 'run' : 'ask'
}
