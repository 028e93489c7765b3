import type { LineMessage, LineNode, LinePart, LineToolCall, LineToolResult, Repair } from '../line/line-message.ts'
import type { ExpectedNode } from './line-oracle.ts'
import { asObject, markersIn, type Said, type SaidCall } from './said.ts'

interface BuiltLine {
  readonly messages: readonly LineMessage[]
  readonly nodes: readonly LineNode[]
}

/** Something that a node says, with where it is said. */
interface Speech {
  readonly nodeId: string
  readonly said: Said
}

interface Asked {
  readonly call: SaidCall
  readonly by: Speech
  answer: Speech | undefined
}

const TOKEN = /^[A-Za-z0-9_-]{1,64}$/

/** How a line differs from what it must be; empty when it does not. */
export function compareLine(expected: readonly ExpectedNode[], { messages, nodes }: BuiltLine): string[] {
  const trunk = expected.map(({ nodeId }) => nodeId).join()
  const listed = nodes.map(({ nodeId }) => nodeId).join()
  if (trunk !== listed) return [`nodes: the trunk is [${trunk}], the line says [${listed}]`]
  const verdicts = nodes.map((node) => (node.in ? 'in' : node.reason))
  const wrong = expected.flatMap(({ nodeId, verdicts: right }, at) =>
    right.has(verdicts[at]!) ? [] : [`${nodeId}: is ${verdicts[at]}, must be ${[...right].join(' or ')}`],
  )
  if (wrong.length > 0) return wrong
  const sent = expected.filter((_, at) => verdicts[at] === 'in')
  const [found, ...others] = possibleOrders(sent).map((order) => compareSent(order, messages, nodes))
  return others.some((differences) => differences.length === 0) ? [] : found!
}

/** The compaction in force speaks first. System text that was kept from before it may lead all the same. */
function possibleOrders(sent: readonly ExpectedNode[]): (readonly ExpectedNode[])[] {
  const rest = sent.filter(({ leads }) => !leads)
  const firstOther = rest.findIndex(({ says }) => says.some(({ as }) => as !== 'system'))
  const system = rest.slice(0, firstOther < 0 ? rest.length : firstOther)
  const leading = sent.filter(({ leads }) => leads)
  return [
    [...leading, ...rest],
    [...system, ...leading, ...rest.slice(system.length)],
  ]
}

function compareSent(
  inOrder: readonly ExpectedNode[],
  messages: readonly LineMessage[],
  nodes: readonly LineNode[],
): string[] {
  const speeches = inOrder.flatMap(({ nodeId, says }) => says.map((said): Speech => ({ nodeId, said })))
  const asked = pair(speeches)
  const answers = new Set(asked.map(({ answer }) => answer))
  const spoken = speeches.filter((speech) => !answers.has(speech))
  return [
    ...compareWords(spoken, messages),
    ...compareThoughts(spoken, messages),
    ...compareCalls(asked, messages),
    ...compareOrder(spoken, messages),
    ...compareNodeIds(speeches, messages),
    ...compareRepairs(speeches, asked, messages, nodes),
  ]
}

/** X65: by id, on the path, to the latest answer that asked so; of equal calls in one answer the first goes first. */
function pair(speeches: readonly Speech[]): Asked[] {
  const asked: Asked[] = []
  for (const speech of speeches) {
    if (speech.said.as === 'result') {
      const open = asked.filter(({ call, answer }) => call.id === speech.said.callId && answer === undefined)
      const match = open.find(({ by }) => by === open.at(-1)!.by)
      if (match !== undefined) match.answer = speech
    }
    for (const call of speech.said.calls) asked.push({ call, by: speech, answer: undefined })
  }
  return asked
}

/** Every word once and in order: system text that leads in the system message, all else in the conversation. */
function compareWords(spoken: readonly Speech[], messages: readonly LineMessage[]): string[] {
  const firstOther = spoken.findIndex(({ said }) => said.as !== 'system')
  const split = firstOther < 0 ? spoken.length : firstOther
  const words = (speeches: readonly Speech[]) => speeches.flatMap(({ said }) => said.words)
  const optional = new Set(spoken.flatMap(({ said }) => said.optional))
  const sent = (...roles: LineMessage['role'][]) =>
    messages
      .filter(({ role }) => roles.includes(role))
      .flatMap(({ content }) => content.flatMap(wordsOf))
      .filter((marker) => !optional.has(marker))
  return [
    ...same('system text', words(spoken.slice(0, split)), sent('system')),
    ...same('text', words(spoken.slice(split)), sent('user', 'assistant')),
  ]
}

/** The reasoning that leads a message is kept; where answers are merged, only that of the first one leads. */
function compareThoughts(spoken: readonly Speech[], messages: readonly LineMessage[]): string[] {
  const expected = spoken.flatMap(({ said }, at) => {
    const before = at === 0 ? undefined : spoken[at - 1]!.said
    return before?.as === 'assistant' && before.calls.length === 0 ? [] : said.thoughts
  })
  const reasoning = partsOf(messages).filter((part) => part.type === 'reasoning')
  return same(
    'reasoning',
    expected,
    reasoning.flatMap(({ text, signature, redacted }) => markersIn([text, signature, redacted])),
  )
}

function compareCalls(asked: readonly Asked[], messages: readonly LineMessage[]): string[] {
  const calls = partsOf(messages).filter((part) => part.type === 'tool_call')
  const results = partsOf(messages).filter((part) => part.type === 'tool_result')
  if (calls.length !== asked.length) return [`calls: must be ${asked.length}, are ${calls.length}`]
  const used = new Set<string>()
  return asked.flatMap(({ call, by, answer }, at) => {
    const part = calls[at]!
    const where = `call ${at} (${by.nodeId})`
    const mayKeepId = TOKEN.test(call.id) && !used.has(call.id)
    used.add(part.toolCallId)
    // Without a result every provider refuses the line: not for the oracle to say.
    const result = results.find(({ toolCallId }) => toolCallId === part.toolCallId)
    return [
      ...(mayKeepId ? same(`${where} id`, [call.id], [part.toolCallId]) : []),
      ...(typeof call.name === 'string' && TOKEN.test(call.name)
        ? same(`${where} name`, [call.name], [part.name])
        : []),
      ...(asObject(call.input)
        ? same(`${where} input`, [JSON.stringify(call.input)], [JSON.stringify(part.input)])
        : []),
      ...(result === undefined ? [] : compareResult(where, answer, result)),
    ]
  })
}

function compareResult(where: string, answer: Speech | undefined, result: LineToolResult): string[] {
  return [
    ...same(`${where} output`, answer?.said.words ?? [], wordsOf(result)),
    ...same(`${where} isError`, [String(answer?.said.isError ?? true)], [String(result.isError)]),
  ]
}

/** Nothing stands in an earlier message than what comes before it on the trunk; answers to calls apart. */
function compareOrder(spoken: readonly Speech[], messages: readonly LineMessage[]): string[] {
  const places = new Map<string, number[]>()
  for (const [at, { role, content }] of messages.entries()) {
    if (role === 'tool') continue
    for (const marker of content.flatMap(markersIn)) places.set(marker, [...(places.get(marker) ?? []), at])
  }
  const found: string[] = []
  let last = 0
  for (const { nodeId, said } of spoken) {
    const inputs = said.calls.flatMap(({ input }) => (asObject(input) ? markersIn(input) : []))
    for (const marker of [...said.words, ...inputs]) {
      const at = places.get(marker)?.shift() ?? last
      if (at < last) found.push(`order: ${marker} of ${nodeId} stands in message ${at}, what precedes it in ${last}`)
      last = Math.max(last, at)
    }
  }
  return found
}

/** A message names the nodes it is made of, and no others. */
function compareNodeIds(speeches: readonly Speech[], messages: readonly LineMessage[]): string[] {
  const known = new Set(speeches.map(({ nodeId }) => nodeId))
  const strangers = messages.flatMap(({ nodeIds }) => nodeIds.filter((id) => !known.has(id)))
  const unnamed = speeches.flatMap(({ nodeId, said }) => {
    const text = JSON.stringify(messages.filter(({ nodeIds }) => nodeIds.includes(nodeId)))
    if (text === '[]') return [`nodeIds: no message names ${nodeId}`]
    return said.words.filter((word) => !text.includes(word)).map((word) => `nodeIds: ${word} is not under ${nodeId}`)
  })
  return [...strangers.map((id) => `nodeIds: ${id} says nothing in the line`), ...unnamed]
}

function compareRepairs(
  speeches: readonly Speech[],
  asked: readonly Asked[],
  messages: readonly LineMessage[],
  nodes: readonly LineNode[],
): string[] {
  const calls = partsOf(messages).filter((part): part is LineToolCall => part.type === 'tool_call')
  const answers = new Set(asked.map(({ answer }) => answer))
  const must = new Map<string, Set<Repair>>()
  const note = (nodeId: string, repair: Repair) => must.set(nodeId, (must.get(nodeId) ?? new Set()).add(repair))
  for (const speech of speeches) {
    if (speech.said.as === 'result' && !answers.has(speech)) note(speech.nodeId, 'result_as_text')
  }
  for (const [at, { call, by, answer }] of asked.entries()) {
    if (answer === undefined) note(by.nodeId, 'result_missing')
    if (calls[at]?.toolCallId !== call.id) note(by.nodeId, 'call_renamed')
    const between = answer === undefined ? [] : speeches.slice(speeches.indexOf(by) + 1, speeches.indexOf(answer))
    if (between.some((speech) => !answers.has(speech))) note(answer!.nodeId, 'result_moved')
  }
  return nodes.flatMap((node) => {
    const said = node.in ? [...(node.repairs ?? [])].sort() : []
    return same(`${node.nodeId} repairs`, [...(must.get(node.nodeId) ?? [])].sort(), said)
  })
}

function same(what: string, expected: readonly string[], actual: readonly string[]): string[] {
  return expected.join() === actual.join() ? [] : [`${what}: must be [${expected.join()}], is [${actual.join()}]`]
}

function partsOf(messages: readonly LineMessage[]): LinePart[] {
  return messages.flatMap(({ content }) => content as readonly LinePart[])
}

function wordsOf(part: LinePart): string[] {
  switch (part.type) {
    case 'text':
      return markersIn(part.text)
    case 'image':
      return markersIn(part.data)
    case 'tool_result':
      return part.output.flatMap(wordsOf)
    default:
      return []
  }
}
