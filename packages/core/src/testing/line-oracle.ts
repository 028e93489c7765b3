import type { Entry } from '../entry/entry.ts'
import type { LineMessage, LineNode, LinePart, LineToolCall, OutReason, Repair } from '../line/line-message.ts'
import { Flag, ROOT } from '../tree/columns.ts'
import { MARKER } from './arbitrary-conversation.ts'
import type { TestLog } from './make-tree.ts'

/**
 * What a line must be, said a second time and as plainly as possible: no speed, no code of `line/` or `context/`. Texts are
 * followed by their markers, so only logs of `arbitraryConversation` can be judged in full.
 */
export interface ExpectedNode {
  readonly nodeId: string
  /** The verdicts that are true of this node. More than one reason may be; `in` stands alone unless nothing is lost. */
  readonly verdicts: ReadonlySet<'in' | OutReason>
  readonly says: Said
  readonly isCompaction: boolean
}

/** What a node has to say to a model. */
interface Said {
  readonly as: 'system' | 'user' | 'assistant' | 'result'
  /** Markers of its texts and images, in order: every one has to arrive. */
  readonly words: readonly string[]
  /** Markers of its reasoning: they may be left out. */
  readonly thoughts: readonly string[]
  readonly calls: readonly Call[]
  /** For a result: the call it answers, as stored. */
  readonly callId?: unknown
  readonly isError?: boolean
}

interface Call {
  readonly id: unknown
  readonly name: unknown
  readonly input: unknown
}

type Json = Readonly<Record<string, unknown>>

const SILENT: Said = { as: 'user', words: [], thoughts: [], calls: [] }
const TOKEN = /^[A-Za-z0-9_-]{1,64}$/
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

interface Place {
  readonly ref: number
  readonly entry: Entry | undefined
  readonly isNode: boolean
}

export function expectLine(log: TestLog, leaf: number, unreadable: ReadonlySet<string> = new Set()): ExpectedNode[] {
  const { columns, ids } = log.tree
  const path = trunkWithRunUps(log, leaf).map(({ ref, isNode }): Place => {
    const entry = log.bodyOf(ref)
    return { ref, isNode, entry: entry !== undefined && unreadable.has(entry.id) ? undefined : entry }
  })
  const muted = (place: Place) => columns.has(place.ref, Flag.muted)
  const typeAt = (place: Place) => log.bodyOf(place.ref)?.type
  const reset = path.findLastIndex((place) => !place.isNode && typeAt(place) === 'reset_boundary')
  const compaction = path.findLastIndex(
    (place, at) =>
      at > reset && place.entry?.type === 'compaction' && !muted(place) && typeof place.entry.summary === 'string',
  )
  const from = compaction < 0 ? reset + 1 : firstKept(log, path, compaction)
  const edits = new Map<string, unknown>()
  for (const { entry } of path.slice(Math.max(from, reset + 1))) {
    if (entry?.type === 'context_edit' && isUsableEdit(entry)) edits.set(entry.targetId as string, entry.replacement)
  }
  const expected: ExpectedNode[] = []
  for (const [at, place] of path.entries()) {
    if (!place.isNode) continue
    const nodeId = ids.textOf(place.ref)
    const isCompaction = typeAt(place) === 'compaction'
    const edit = isCompaction ? undefined : edits.get(nodeId)
    const [says, verdict] = read(place.entry, edit)
    const out = new Set<'in' | OutReason>(verdict)
    if (at < reset) out.add('reset')
    else if (at !== compaction && at < from) out.add('compacted')
    if (isCompaction && at < compaction) out.add('compacted')
    if (edit === null) out.add('omitted')
    if (place.entry === undefined) out.add('unreadable')
    if (columns.has(place.ref, Flag.generating)) {
      out.clear()
      out.add('generating')
    }
    // Whatever else is true of it, a person sees first what a person did.
    if (muted(place)) {
      out.clear()
      out.add('muted')
    }
    if (out.size > verdict.size) out.delete('in')
    expected.push({
      nodeId,
      verdicts: out.size === 0 ? new Set(['in'] as const) : out,
      says,
      isCompaction: at === compaction,
    })
  }
  return expected
}

/** Effective parents for the nodes, stored parents for what stands between a node and the node it was written under. */
function trunkWithRunUps(log: TestLog, leaf: number): { ref: number; isNode: boolean }[] {
  const { columns, edits } = log.tree
  const nodes: number[] = []
  for (let at = columns.owner[leaf]!; at > ROOT; at = columns.parent[at]!) nodes.unshift(at)
  const runUp = (from: number) => {
    const refs: { ref: number; isNode: boolean }[] = []
    for (
      let at = from;
      at > ROOT && columns.has(at, Flag.known) && !columns.has(at, Flag.node);
      at = columns.rawParent[at]!
    ) {
      const entry = log.bodyOf(at)!
      if (entry.customType === 'treeline/generation') break
      const aside = ['label', 'session_info', 'title_change', 'usage', 'model_usage', 'credential_pin'].includes(
        entry.type,
      )
      const ours = entry.type === 'custom' && String(entry.customType).startsWith('treeline/')
      if (!aside && !ours) refs.unshift({ ref: at, isNode: false })
    }
    return refs
  }
  const path = nodes.flatMap((ref) => [
    ...runUp(columns.rawParent[edits.copies.get(ref)?.body ?? ref]!),
    { ref, isNode: true },
  ])
  return columns.owner[leaf] === leaf ? path : [...path, ...runUp(leaf)]
}

/** Where what the compaction keeps begins; itself when it keeps nothing that is still there. */
function firstKept(log: TestLog, path: readonly Place[], compaction: number): number {
  const id = path[compaction]!.entry!.firstKeptEntryId
  const found = path.findLastIndex(({ ref }, at) => at < compaction && log.tree.ids.textOf(ref) === id)
  return found < 0 ? compaction : found
}

function isUsableEdit({ targetId, replacement }: Entry): boolean {
  if (typeof targetId !== 'string' || targetId === '') return false
  if (replacement === null) return true
  const content = asObject(replacement)?.content
  return typeof content === 'string' || Array.isArray(content)
}

/** What a node says, and the reasons for which its own body may keep it out; none means that it has to be in. */
function read(entry: Entry | undefined, edit: unknown): [Said, ReadonlySet<'in' | OutReason>] {
  if (entry === undefined) return [SILENT, new Set()]
  const replaced = asObject(edit)?.content
  switch (entry.type) {
    case 'compaction':
    case 'branch_summary':
      return spoken('user', typeof entry.summary === 'string' ? [entry.summary] : [])
    case 'custom_message':
      return spoken('user', wordsOf(replaced ?? entry.content))
    default: {
      const message = asObject(entry.message)
      if (typeof message?.role !== 'string') return [SILENT, new Set(['empty', 'unreadable'] as const)]
      return readMessage(replaced !== undefined && 'content' in message ? { ...message, content: replaced } : message)
    }
  }
}

function readMessage(message: Json): [Said, ReadonlySet<'in' | OutReason>] {
  const words = wordsOf(message.content)
  switch (message.role) {
    case 'user':
    case 'developer':
    case 'custom':
    case 'hookMessage':
      return spoken('user', words)
    case 'system':
      return spoken('system', words)
    case 'assistant':
      return readAssistant(message, words)
    case 'toolResult': {
      const says = { ...SILENT, as: 'result', words: words.flatMap(markersIn), callId: message.toolCallId } as const
      // A result that is no answer and has nothing to say may stand or go.
      const verdicts = words.length > 0 ? [] : (['in', 'empty'] as const)
      return [{ ...says, isError: message.isError === true }, new Set(verdicts)]
    }
    case 'bashExecution':
    case 'pythonExecution': {
      const [says] = spoken('user', [message.command ?? message.code, message.output])
      return [says, new Set(message.excludeFromContext ? (['excluded'] as const) : [])]
    }
    case 'fileMention': {
      const files = Array.isArray(message.files) ? message.files.map(asObject) : []
      return spoken(
        'user',
        files.flatMap((file) => [file?.path, file?.content, ...wordsOf([file?.image])]),
      )
    }
    default: {
      // No tool we know writes such a role; what it says may be sent.
      const [says] = spoken('user', words)
      return [says, new Set(['in', 'empty'] as const)]
    }
  }
}

function readAssistant(message: Json, words: readonly unknown[]): [Said, ReadonlySet<'in' | OutReason>] {
  const blocks = Array.isArray(message.content) ? message.content.map(asObject) : []
  const calls = blocks
    .filter((block) => block?.type === 'toolCall')
    .map((block) => ({ id: block!.id, name: block!.name, input: block!.arguments }))
  const thoughts = blocks.filter((block) => block?.type === 'thinking').flatMap((block) => markersIn(block!.thinking))
  const says: Said = { as: 'assistant', words: words.flatMap(markersIn), thoughts, calls }
  const silent = words.length === 0 && calls.length === 0
  const reasons: OutReason[] = silent ? ['empty'] : []
  if (message.stopReason === 'error' || (message.stopReason === 'aborted' && silent)) reasons.push('failed')
  return [says, new Set(reasons)]
}

function spoken(as: 'user' | 'system', texts: readonly unknown[]): [Said, ReadonlySet<OutReason>] {
  const words = texts.filter((text) => typeof text === 'string' && text.trim() !== '')
  return [{ ...SILENT, as, words: words.flatMap(markersIn) }, new Set(words.length === 0 ? (['empty'] as const) : [])]
}

/** The texts and images of a content that a model could read. */
function wordsOf(content: unknown): string[] {
  if (typeof content === 'string') return content.trim() === '' ? [] : [content]
  if (!Array.isArray(content)) return []
  const words: string[] = []
  for (const block of content.map(asObject)) {
    const { type, text, data, mimeType } = block ?? {}
    if (type === 'text' && typeof text === 'string' && text.trim() !== '') words.push(text)
    const isImage = typeof mimeType === 'string' && mimeType.startsWith('image/')
    if (type === 'image' && isImage && typeof data === 'string' && BASE64.test(data)) words.push(data)
  }
  return words
}

function asObject(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
}

function markersIn(value: unknown): string[] {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).match(MARKER) ?? []
}

interface BuiltLine {
  readonly messages: readonly LineMessage[]
  readonly nodes: readonly LineNode[]
}

/** How a line differs from what it must be; empty when it does not. */
export function compareLine(expected: readonly ExpectedNode[], line: BuiltLine): string[] {
  const found: string[] = []
  const said = expected.map(({ nodeId }) => nodeId).join()
  const listed = line.nodes.map(({ nodeId }) => nodeId).join()
  if (said !== listed) return [`nodes: the trunk is [${said}], the line says [${listed}]`]
  const inNodes: ExpectedNode[] = []
  for (const [index, node] of expected.entries()) {
    const actual = line.nodes[index]!
    const verdict = actual.in ? 'in' : actual.reason
    if (!node.verdicts.has(verdict))
      found.push(`${node.nodeId}: is ${verdict}, must be ${[...node.verdicts].join(' or ')}`)
    if (actual.in) inNodes.push(node)
  }
  if (found.length > 0) return found
  // The summary in force speaks first: it stands for what came before.
  inNodes.sort((a, b) => Number(b.isCompaction) - Number(a.isCompaction))
  const repairs = new Map(line.nodes.map((node) => [node.nodeId, node.in ? (node.repairs ?? []) : []]))
  new Comparison(inNodes, line.messages, repairs, found).run()
  return found
}

interface Answered {
  readonly call: Call
  readonly caller: ExpectedNode
  result?: ExpectedNode
}

class Comparison {
  private readonly nodes: readonly ExpectedNode[]
  private readonly messages: readonly LineMessage[]
  private readonly repairs: ReadonlyMap<string, readonly Repair[]>
  private readonly found: string[]
  private readonly calls: Answered[] = []
  /** Results that answer no call: they stand as text where they are. */
  private readonly loose = new Set<ExpectedNode>()

  constructor(
    nodes: readonly ExpectedNode[],
    messages: readonly LineMessage[],
    repairs: ReadonlyMap<string, readonly Repair[]>,
    found: string[],
  ) {
    this.nodes = nodes
    this.messages = messages
    this.repairs = repairs
    this.found = found
  }

  run(): void {
    this.pair()
    const answers = new Set(this.calls.map(({ result }) => result))
    const speakers = this.nodes.filter((node) => !answers.has(node))
    const wordsOfAll = (as: (node: ExpectedNode) => boolean) => speakers.filter(as).flatMap(({ says }) => says.words)
    this.same(
      'system text',
      wordsOfAll(({ says }) => says.as === 'system'),
      this.words(['system']),
    )
    this.same(
      'text',
      wordsOfAll(({ says }) => says.as !== 'system'),
      this.words(['user', 'assistant']),
    )
    this.checkThoughts()
    this.checkCalls()
    this.checkOrder(speakers)
    this.checkNodeIds()
    this.checkRepairs()
  }

  /** X65: by id, on the path, to the call made last; of several in one message the first that has no answer yet. */
  private pair(): void {
    for (const node of this.nodes) {
      for (const call of node.says.calls) this.calls.push({ call, caller: node })
      if (node.says.as !== 'result') continue
      const { callId } = node.says
      const open = this.calls.filter(
        ({ call, result }) => call.id === callId && callId !== undefined && result === undefined,
      )
      const last = open.at(-1)?.caller
      const answered = open.find(({ caller }) => caller === last)
      if (answered === undefined) this.loose.add(node)
      else answered.result = node
    }
  }

  private same(what: string, expected: readonly string[], actual: readonly string[]): void {
    if (expected.join() !== actual.join())
      this.found.push(`${what}: must be [${expected.join()}], is [${actual.join()}]`)
  }

  private words(roles: readonly LineMessage['role'][]): string[] {
    return this.messages.flatMap(({ role, content }) => (roles.includes(role) ? content.flatMap(partWords) : []))
  }

  /** Reasoning may go, but not out of order, not twice, and not without need when it leads its own message. */
  private checkThoughts(): void {
    const expected = this.nodes.flatMap(({ says }) => says.thoughts)
    const actual = this.messages.flatMap(({ content }) =>
      content.flatMap((part: LinePart) => (part.type === 'reasoning' ? markersIn(part.text) : [])),
    )
    let at = 0
    for (const marker of actual) {
      const next = expected.indexOf(marker, at)
      if (next < 0) this.found.push(`reasoning: ${marker} has no place in [${expected.join()}]`)
      else at = next + 1
    }
  }

  private checkCalls(): void {
    const parts: LineToolCall[] = []
    const results = new Map<string, LinePart>()
    for (const { content } of this.messages) {
      for (const part of content as readonly LinePart[]) {
        if (part.type === 'tool_call') parts.push(part)
        if (part.type === 'tool_result') results.set(part.toolCallId, part)
      }
    }
    if (parts.length !== this.calls.length) {
      this.found.push(`calls: must be ${this.calls.length}, are ${parts.length}`)
      return
    }
    const used = new Set<string>()
    for (const [index, part] of parts.entries()) {
      const { call, caller, result } = this.calls[index]!
      const where = `call ${index} of ${caller.nodeId}`
      const usable = typeof call.id === 'string' && TOKEN.test(call.id) && !used.has(call.id)
      if (usable && part.toolCallId !== call.id) this.found.push(`${where}: id ${call.id} became ${part.toolCallId}`)
      used.add(part.toolCallId)
      if (typeof call.name === 'string' && TOKEN.test(call.name) && part.name !== call.name) {
        this.found.push(`${where}: name ${call.name} became ${part.name}`)
      }
      if (asObject(call.input) && JSON.stringify(part.input) !== JSON.stringify(call.input)) {
        this.found.push(`${where}: input ${JSON.stringify(call.input)} became ${JSON.stringify(part.input)}`)
      }
      const answer = results.get(part.toolCallId)
      if (answer?.type !== 'tool_result') continue // Refused by every provider: not for the oracle to say.
      this.same(`${where}: output`, result?.says.words ?? [], partWords(answer))
      if (answer.name !== part.name) this.found.push(`${where}: ${answer.name} answers ${part.name}`)
      if (answer.isError !== (result?.says.isError ?? true)) this.found.push(`${where}: isError is ${answer.isError}`)
    }
  }

  /** Nothing that comes later on the trunk stands in an earlier message, results apart. */
  private checkOrder(speakers: readonly ExpectedNode[]): void {
    const conversation = this.messages.filter(({ role }) => role !== 'system' && role !== 'tool')
    const indexes = new Map<string, number[]>()
    for (const [index, { content }] of conversation.entries()) {
      for (const marker of content.flatMap((part: LinePart) => markersIn(part))) {
        indexes.set(marker, [...(indexes.get(marker) ?? []), index])
      }
    }
    let last = 0
    for (const { nodeId, says } of speakers.filter((node) => node.says.as !== 'system')) {
      const markers = [...says.words, ...says.calls.flatMap(({ input }) => (asObject(input) ? markersIn(input) : []))]
      for (const index of markers.map((marker) => indexes.get(marker)?.shift() ?? last)) {
        if (index < last) this.found.push(`${nodeId}: stands in message ${index}, before what comes before it`)
        last = Math.max(last, index)
      }
    }
  }

  /** A message names the nodes it is made of, and no others. */
  private checkNodeIds(): void {
    const named = new Map<string, string>()
    for (const { nodeIds, content } of this.messages) {
      for (const id of nodeIds) named.set(id, `${named.get(id) ?? ''}${JSON.stringify(content)}`)
    }
    for (const id of named.keys()) {
      if (!this.nodes.some(({ nodeId }) => nodeId === id)) this.found.push(`nodeIds: ${id} is not in the line`)
    }
    for (const { nodeId, says } of this.nodes) {
      const text = named.get(nodeId)
      if (text === undefined) this.found.push(`nodeIds: no message names ${nodeId}`)
      for (const word of says.words)
        if (!text?.includes(word)) this.found.push(`nodeIds: ${word} is not under ${nodeId}`)
    }
  }

  private checkRepairs(): void {
    const parts = this.messages.flatMap(({ content }) => content.filter((part: LinePart) => part.type === 'tool_call'))
    for (const [at, node] of this.nodes.entries()) {
      const own = this.calls.map((answered, index) => ({ ...answered, index })).filter(({ caller }) => caller === node)
      const answers = this.calls.find(({ result }) => result === node)
      const moved =
        answers !== undefined &&
        this.nodes
          .slice(this.nodes.indexOf(answers.caller) + 1, at)
          .some((between) => !this.calls.some(({ caller, result }) => result === between && caller === answers.caller))
      const must: Record<Repair, boolean> = {
        result_as_text: this.loose.has(node),
        result_moved: moved,
        result_missing: own.some(({ result }) => result === undefined),
        call_renamed: own.some(({ call, index }) => (parts[index] as LineToolCall).toolCallId !== call.id),
      }
      const done = this.repairs.get(node.nodeId) ?? []
      for (const repair of Object.keys(must) as Repair[]) {
        if (must[repair] !== done.includes(repair)) {
          this.found.push(`${node.nodeId}: ${repair} must ${must[repair] ? '' : 'not '}be said`)
        }
      }
    }
  }
}

function partWords(part: LinePart): string[] {
  switch (part.type) {
    case 'text':
      return markersIn(part.text)
    case 'image':
      return markersIn(part.data)
    case 'tool_result':
      return part.output.flatMap(partWords)
    default:
      return []
  }
}
