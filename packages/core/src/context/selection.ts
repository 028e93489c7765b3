import type { Entry } from '../entry/entry.ts'
import { Kind, Role } from '../entry/kind.ts'
import type { Steps } from '../steps.ts'
import { type Dialect, type DialectRules, rulesOf } from './dialect.ts'
import { isObject, isText } from './json.ts'
import { besideMessages, type PathView } from './path-view.ts'
import type { ContextProblem } from './problem.ts'
import { readRemoteHistory } from './remote-history.ts'

/**
 * What becomes of a position:
 * - `emits`: gives messages to the context.
 * - `silent`: its kind never does (a model change, a label, extension state …).
 * - `compacted`: the compaction in force stands for it.
 * - `restated`: a system message kept by the compaction, which restates it.
 * - `superseded`: an older compaction; a later one is in force.
 * - `stepped`: a compaction the user stepped over.
 * - `unreadable`: a compaction that cannot be used; the context is built as if it were not there (I3).
 * - `reset`: above the reset boundary.
 */
export type Verdict = 'emits' | 'silent' | 'compacted' | 'restated' | 'superseded' | 'stepped' | 'unreadable' | 'reset'

export interface Selection {
  verdictAt(position: number): Verdict
  /** The positions that emit, as the model will see them: the compaction in force first, then path order. */
  readonly order: readonly number[]
  readonly compaction: { readonly position: number; readonly entry: Entry } | undefined
  /** The reset boundary in force. */
  readonly reset: number | undefined
  /** Where the selected stretch of the path begins. Context edits above it do not count. */
  readonly from: number
  readonly problems: readonly ContextProblem[]
}

export interface SelectOptions {
  readonly dialect: Dialect
  /** True for a compaction that is to be ignored because the user muted it. */
  readonly isStepped?: (position: number) => boolean
}

/** Decides which positions of a path reach the context. Reads one compaction's body, and only if there is one. */
export function* selectPath(path: PathView, options: SelectOptions): Steps<Selection> {
  const rules = rulesOf(options.dialect)
  /** Compactions met on the way up; all else follows from its kind and place. */
  const met = new Map<number, Verdict>()
  const problems: ContextProblem[] = []
  let compaction: Selection['compaction']
  let reset: number | undefined

  // The later of the last reset and the last usable compaction rules; what precedes it is read in its light.
  const beside = besideMessages(path)
  for (let i = beside.length - 1; i >= 0 && !compaction && reset === undefined; i--) {
    const position = beside[i]!
    const kind = path.kindAt(position)
    if (kind === Kind.reset_boundary && rules.resetBoundary) reset = position
    if (kind !== Kind.compaction) continue
    if (options.isStepped?.(position)) {
      met.set(position, 'stepped')
      continue
    }
    const [entry] = yield [position]
    if (entry !== undefined && isUsableSummary(entry.summary, rules)) {
      met.set(position, 'emits')
      compaction = { position, entry }
      continue
    }
    met.set(position, 'unreadable')
    const reason = entry === undefined ? 'unreadable' : 'bad_summary'
    problems.push({ entryId: path.idAt(position), position, reason })
  }

  // A compaction keeps nothing from above a reset that stands before it.
  if (compaction !== undefined && rules.resetBoundary) reset = findResetAbove(path, compaction.position)
  const below = reset === undefined ? 0 : reset + 1
  const from = compaction === undefined ? below : Math.max(below, findFirstKept(path, compaction, rules))
  const restates = rules.systemState === 'always' || isObject(compaction?.entry.systemMessage)
  const end = compaction?.position ?? below
  const verdictAt = (position: number): Verdict => {
    if (position >= end) return met.get(position) ?? (emitsByKind(path.kindAt(position)) ? 'emits' : 'silent')
    return verdictAbove(path, position, position < below, position >= from, rules, restates)
  }

  const order: number[] = compaction === undefined ? [] : [compaction.position]
  for (let position = from; position < path.length; position++) {
    if (verdictAt(position) === 'emits' && position !== compaction?.position) order.push(position)
  }
  return { verdictAt, order, compaction, reset, from, problems }
}

/** Where the kept stretch begins; the compaction's own position when it keeps nothing. */
function findFirstKept(path: PathView, compaction: NonNullable<Selection['compaction']>, rules: DialectRules): number {
  const { position, entry } = compaction
  if (rules.retainedTail && Array.isArray(entry.retainedTail)) return position
  if (rules.remoteCompaction === false || readRemoteHistory(entry) === undefined) {
    return findAbove(path, position, entry.firstKeptEntryId) ?? position
  }
  const through = rules.remoteCompaction === 'through' ? entry.providerReplayThroughEntryId : undefined
  const covered = findAbove(path, position, through)
  return covered === undefined ? position : covered + 1
}

/** Searched from the compaction upwards: the kept stretch is usually short, the path may be long. */
function findAbove(path: PathView, below: number, id: unknown): number | undefined {
  if (!isText(id)) return undefined
  for (let position = below - 1; position >= 0; position--) if (path.idAt(position) === id) return position
  return path.findKept?.(id, below)
}

function findResetAbove(path: PathView, below: number): number | undefined {
  return besideMessages(path).findLast((position) => position < below && path.kindAt(position) === Kind.reset_boundary)
}

function isUsableSummary(summary: unknown, rules: DialectRules): boolean {
  return typeof summary === 'string' && (rules.blankSummaries || summary.trim() !== '')
}

function verdictAbove(
  path: PathView,
  position: number,
  reset: boolean,
  kept: boolean,
  rules: DialectRules,
  restates: boolean,
): Verdict {
  const kind = path.kindAt(position)
  if (kind === Kind.compaction) return reset ? 'reset' : 'superseded'
  if (!emitsByKind(kind)) return 'silent'
  if (reset) return 'reset'
  if (!kept) return 'compacted'
  const system =
    rules.systemState !== false && restates && kind === Kind.message && path.roleAt(position) === Role.system
  return system ? 'restated' : 'emits'
}

function emitsByKind(kind: Kind): boolean {
  return kind === Kind.message || kind === Kind.custom_message || kind === Kind.branch_summary
}
