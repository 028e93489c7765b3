import type { Entry, EntryId } from '../entry/entry.ts'
import { Kind, Role } from '../entry/kind.ts'
import type { AgentMessage } from '../entry/message.ts'
import type { Steps } from '../steps.ts'
import { applyEdit, type MessageEdit, readContextEdit } from './context-edit.ts'
import { type Dialect, type DialectRules, rulesOf } from './dialect.ts'
import { emitMessages } from './messages.ts'
import type { PathView } from './path-view.ts'
import type { ContextProblem, ProblemReason } from './problem.ts'
import { type Selection, selectPath } from './selection.ts'
import { type ContextState, changesState, StateReader } from './state.ts'
import { dropUnsafeTurns } from './unsafe-turns.ts'

/** Which entry a message came from. */
export interface MessageSource {
  readonly entryId: EntryId
  readonly position: number
}

/** The messages of a path as stored, and the state they were written in (S22–S24). */
export interface Context extends ContextState {
  readonly messages: readonly AgentMessage[]
  /** One per message. */
  readonly sources: readonly MessageSource[]
  readonly problems: readonly ContextProblem[]
}

/**
 * Builds the context of a path as `dialect` reads it. An empty path is the null leaf. Asks for two batches of bodies at
 * most, and one more for each damaged compaction: the compaction in force, then what it leaves standing together with the
 * state's small entries.
 */
export function* buildContext(path: PathView, dialect: Dialect): Steps<Context> {
  const rules = rulesOf(dialect)
  const selection = yield* selectPath(path, { dialect })
  const wanted = findWanted(path, selection, rules)
  const bodies = new Map<number, Entry>()
  const read = wanted.length === 0 ? [] : yield wanted
  for (const [index, position] of wanted.entries()) {
    const entry = read[index]
    if (entry !== undefined) bodies.set(position, entry)
  }

  const problems = [...selection.problems]
  const report = (position: number, reason: ProblemReason) =>
    problems.push({ entryId: path.idAt(position), position, reason })

  const state = new StateReader(rules)
  const edits = new Map<EntryId, MessageEdit>()
  for (const position of wanted) {
    const entry = bodies.get(position)
    const kind = path.kindAt(position)
    if (entry === undefined) report(position, 'unreadable')
    else if (kind === Kind.context_edit) {
      const edit = readContextEdit(entry)
      if (edit === undefined) report(position, 'bad_edit')
      else edits.set(edit.targetId, edit)
    } else if (!state.read(entry, kind)) report(position, 'bad_value')
  }

  if (selection.compaction !== undefined) bodies.set(selection.compaction.position, selection.compaction.entry)
  const items: { message: AgentMessage; source: MessageSource }[] = []
  for (const position of selection.order) {
    const entry = bodies.get(position)
    if (entry === undefined) continue
    const source = { entryId: path.idAt(position), position }
    const kind = path.kindAt(position)
    const { messages, problem } = emitMessages(entry, kind, rules)
    if (problem !== undefined) report(position, problem)
    const edit = kind === Kind.compaction ? undefined : edits.get(source.entryId)
    for (const stored of messages) {
      const message = applyEdit(stored, edit)
      if (message !== undefined) items.push({ message, source })
    }
  }

  const kept = rules.dropsUnsafeTurns ? dropUnsafeTurns(items) : items
  return {
    messages: kept.map((item) => item.message),
    sources: kept.map((item) => item.source),
    ...state.finish(),
    problems: problems.sort((a, b) => a.position - b.position),
  }
}

/** The bodies needed besides the compaction in force, in path order. */
function findWanted(path: PathView, selection: Selection, rules: DialectRules): number[] {
  const wanted: number[] = []
  const lastAssistant = findLastAssistant(path)
  for (let position = 0; position < path.length; position++) {
    if (position === selection.compaction?.position) continue
    const kind = path.kindAt(position)
    const emits = selection.verdictAt(position) === 'emits'
    const edits = kind === Kind.context_edit && rules.contextEdits && position >= selection.from
    // The last answer tells the model when nobody chose one, even if it is compacted away.
    if (emits || edits || changesState(kind) || position === lastAssistant) wanted.push(position)
  }
  return wanted
}

function findLastAssistant(path: PathView): number {
  for (let position = path.length - 1; position >= 0; position--) {
    if (path.kindAt(position) === Kind.message && path.roleAt(position) === Role.assistant) return position
  }
  return -1
}
