import { applyEdit, type MessageEdit, readEdits } from '../context/context-edit.ts'
import { rulesOf } from '../context/dialect.ts'
import { isObject, isText } from '../context/json.ts'
import { emitMessages } from '../context/messages.ts'
import { readState } from '../context/read-state.ts'
import { type Selection, selectPath, type Verdict } from '../context/selection.ts'
import type { ContextState, StateReader } from '../context/state.ts'
import type { Entry } from '../entry/entry.ts'
import { Kind, Role } from '../entry/kind.ts'
import type { AgentMessage } from '../entry/message.ts'
import { runSteps, type Steps } from '../steps.ts'
import { Flag } from '../tree/columns.ts'
import { type LinePath, linePath } from '../tree/path.ts'
import type { Tree } from '../tree/tree.ts'
import { assembleMessages } from './assemble.ts'
import { convertMessage } from './convert.ts'
import { type Item, Repairs } from './item.ts'
import type { LineMessage, LineNode, OutReason } from './line-message.ts'
import { pairTools } from './pair-tools.ts'
import { collectInjections, type Injected, type LineStrategy, withInjections } from './strategy.ts'

export interface LineOptions {
  /** `linear` reads every node as unmuted; nothing is changed by it (X50). */
  readonly mode?: 'tree' | 'linear'
  /** What if these were muted or not? Nothing is changed by asking. */
  readonly mute?: ReadonlySet<string>
  readonly unmute?: ReadonlySet<string>
  readonly strategies?: readonly LineStrategy[]
}

/** What the model will receive for a leaf, and for every node of the trunk whether and why. */
export interface Line {
  readonly messages: readonly LineMessage[]
  /**
   * One per node of the trunk, root first, as it was when the line was built. On a path of many thousand entries they are
   * put together at the first look, for which the session has to be open.
   */
  readonly nodes: readonly LineNode[]
  /** What strategies added. */
  readonly injected: readonly Injected[]
  /** Model, thinking level, mode … in force at the leaf. */
  readonly state: ContextState
}

const RULES = rulesOf('treeline')
/** Bodies asked for at a time: what a body holds beside its words is let go before the next ones come. */
const BATCH = 128

/**
 * Builds the line that ends at a leaf. Positions asked for are those of `path` at that time: `linePath(tree, leaf)`,
 * or `lineEnd`, which takes in no more than the line needs. With a compaction on the trunk only what it keeps is read. Deterministic: the same tree gives the same bytes (G4).
 */
export function* buildLine(
  tree: Tree,
  leaf: number,
  options: LineOptions = {},
  path: LinePath = linePath(tree, leaf),
): Steps<Line> {
  const known: KnownBodies = new Map()
  let selected: Selected
  let state: StateReader
  do {
    selected = yield* selectNodes(path, options, known)
    state = yield* readState(path, RULES)
  } while (path.widen(selected.selection.from))
  const { selection, isMuted } = selected
  const { flags } = path
  const edits = yield* readEdits(path, selection.from)

  const items: Item[] = []
  /** How those fared that were to be sent, by ref. */
  const fates = new Map<number, LineVerdict>()
  const sent = selection.order.filter((position) => {
    // What `judge` would say of those that emit, without asking again whether they do.
    const isReady = (flags[position]! & (Flag.node | Flag.generating)) === Flag.node
    return isReady && !isMuted(position)
  })
  for (let start = 0; start < sent.length; start += BATCH) {
    const batch = sent.slice(start, start + BATCH)
    const wanted = batch.filter((position) => position !== selection.compaction?.position)
    const read = wanted.length === 0 ? [] : yield wanted
    let next = 0
    for (const position of batch) {
      const inForce = position === selection.compaction?.position
      const entry = inForce ? selection.compaction?.entry : read[next++]
      if (entry !== undefined && path.roleAt(position) === Role.assistant) state.read(entry, path.kindAt(position))
      const verdict = entry === undefined ? 'unreadable' : convertNode(tree, path, position, entry, edits, items)
      if (verdict !== 'in') fates.set(path.refs[position]!, verdict)
    }
  }
  const injected = collectInjections(options.strategies ?? [], items)
  const repairs = new Repairs()
  const messages = assembleMessages(pairTools(withInjections(items, injected), repairs), repairs)
  const isShort = path.isWhole && path.length <= MAX_DESCRIBED
  return lineOf(messages, injected, state.finish(), isShort, () => {
    const whole = path.whole()
    // Asks for the same bodies as before.
    const { judge } = whole === path ? selected : runSteps(selectNodes(whole, options, known), () => [])
    return describeNodes(whole, (position) => fates.get(whole.refs[position]!) ?? judge(position), repairs)
  })
}

interface Selected {
  readonly selection: Selection
  readonly isMuted: (position: number) => boolean
  readonly judge: Judge
}

/** Of compactions, by ref: a path may be selected more than once. */
type KnownBodies = Map<number, Entry | undefined>

function* selectNodes(path: LinePath, options: LineOptions, known: KnownBodies): Steps<Selected> {
  // Before anybody else has a turn: others edit while bodies are read.
  const { flags } = path
  const isMuted = muteOf(flags, path, options)
  const steps = selectPath(path, { dialect: 'treeline', isStepped: isMuted })
  let step = steps.next()
  while (!step.done) {
    const positions = step.value
    const refs = positions.map((position) => path.refs[position]!)
    if (!refs.every((ref) => known.has(ref))) {
      const read = yield positions
      for (const [i, ref] of refs.entries()) known.set(ref, read[i])
    }
    step = steps.next(refs.map((ref) => known.get(ref)))
  }
  const selection = step.value
  return { selection, isMuted, judge: judgeBy(flags, selection, isMuted) }
}

/** On a longer path the nodes are described when somebody first looks: a million of them cost more than the line. */
const MAX_DESCRIBED = 4096

function lineOf(
  messages: readonly LineMessage[],
  injected: readonly Injected[],
  state: ContextState,
  isShort: boolean,
  describe: () => LineNode[],
): Line {
  let nodes = isShort ? describe() : undefined
  return {
    messages,
    get nodes() {
      nodes ??= describe()
      return nodes
    },
    injected,
    state,
  }
}

type LineVerdict = 'in' | OutReason

/** Whether a position is muted, or would be. */
function muteOf(flags: Uint8Array, path: LinePath, { mode, mute, unmute }: LineOptions): (position: number) => boolean {
  if (mode === 'linear') return () => false
  const isStored = (position: number): boolean => (flags[position]! & Flag.muted) !== 0
  if (mute === undefined && unmute === undefined) return isStored
  return (position) => {
    const id = path.idAt(position)
    return !unmute?.has(id) && (mute?.has(id) || isStored(position))
  }
}

const BY_VERDICT: Readonly<Record<Verdict, LineVerdict | undefined>> = {
  emits: 'in',
  silent: undefined,
  compacted: 'compacted',
  restated: 'compacted',
  superseded: 'compacted',
  stepped: 'muted',
  unreadable: 'unreadable',
  reset: 'reset',
}

type Judge = (position: number) => LineVerdict | undefined

/** `undefined`: not a node of the trunk. */
function judgeBy(flags: Uint8Array, selection: Selection, isMuted: (position: number) => boolean): Judge {
  const blank = new Set(selection.problems.filter((p) => p.reason === 'bad_summary').map((p) => p.position))
  return (position) => {
    const flag = flags[position]!
    if ((flag & Flag.node) === 0) return undefined
    if (isMuted(position)) return 'muted'
    const verdict = BY_VERDICT[selection.verdictAt(position)]
    if (verdict === 'in') return (flag & Flag.generating) === 0 ? 'in' : 'generating'
    return verdict === 'unreadable' && blank.has(position) ? 'empty' : verdict
  }
}

/** Adds what a node says to the items and tells how it fared. */
function convertNode(
  tree: Tree,
  path: LinePath,
  position: number,
  entry: Entry,
  edits: ReadonlyMap<string, MessageEdit>,
  items: Item[],
): LineVerdict {
  const nodeId = path.idAt(position)
  const kind = path.kindAt(position)
  const edit = kind === Kind.compaction || edits.size === 0 ? undefined : findEdit(tree, path.refs[position]!, edits)
  if (edit?.type === 'omit') return 'omitted'
  // A stored message is converted as it is, whatever its content; summaries are made into messages first.
  if (kind === Kind.message && edit === undefined) return addMessage(entry.message, nodeId, items)
  let verdict: LineVerdict = 'empty'
  for (const message of emitMessages(entry, kind, RULES).messages) {
    const fared = addMessage(applyEdit(message, edit), nodeId, items)
    if (verdict !== 'in') verdict = fared
  }
  return verdict
}

function addMessage(stored: unknown, nodeId: string, items: Item[]): LineVerdict {
  if (!isObject(stored) || !isText(stored.role)) return 'empty'
  const item = convertMessage(stored as unknown as AgentMessage, nodeId)
  if (typeof item === 'string') return item
  items.push(item)
  return 'in'
}

/** A copy of a withdrawn or rewritten message is withdrawn or rewritten too, unless something is said of the copy itself. */
function findEdit(tree: Tree, ref: number, edits: ReadonlyMap<string, MessageEdit>): MessageEdit | undefined {
  const own = edits.get(tree.ids.textOf(ref))
  const body = tree.edits.copies.get(ref)?.body
  return own ?? (body === undefined ? undefined : edits.get(tree.ids.textOf(body)))
}

function describeNodes(path: LinePath, judge: Judge, repairs: Repairs): LineNode[] {
  const nodes: LineNode[] = []
  for (let position = 0; position < path.length; position++) {
    const verdict = judge(position)
    if (verdict === undefined) continue
    const nodeId = path.idAt(position)
    if (verdict !== 'in') nodes.push({ nodeId, in: false, reason: verdict })
    else {
      const done = repairs.of(nodeId)
      nodes.push(done === undefined ? { nodeId, in: true } : { nodeId, in: true, repairs: done })
    }
  }
  return nodes
}
