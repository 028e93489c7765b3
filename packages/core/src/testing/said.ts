import type { Entry } from '../entry/entry.ts'
import type { OutReason } from '../line/line-message.ts'

/** The word of its own that every text of `arbitraryConversation` has, so that one can tell where it went. */
const MARKER = /mk\d+km/g

/** One thing that a node has to say to a model. Most nodes have one. */
export interface Said {
  readonly as: 'system' | 'user' | 'assistant' | 'result'
  /** Markers of texts and images, in order: every one has to arrive. */
  readonly words: readonly string[]
  /** Markers that may arrive or not: nothing a provider must take. */
  readonly optional: readonly string[]
  /** Markers of the reasoning that leads it. */
  readonly thoughts: readonly string[]
  readonly calls: readonly SaidCall[]
  /** For a result: the id of the call it answers, '' when it names none. */
  readonly callId?: string
  readonly isError?: boolean
}

export interface SaidCall {
  /** As stored, '' for none. */
  readonly id: string
  readonly name: unknown
  readonly input: unknown
}

export interface Reading {
  readonly says: readonly Said[]
  /** Why its own body keeps it out; with `in` among them it may be in as well. None: it has to be in. */
  readonly reasons: readonly ('in' | OutReason)[]
}

type Json = Readonly<Record<string, unknown>>

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const NOTHING: Said = { as: 'user', words: [], optional: [], thoughts: [], calls: [] }

/** What an entry says, `edited` being the content that a context edit puts in the place of its own. */
export function readEntry(entry: Entry, edited: unknown): Reading {
  switch (entry.type) {
    case 'compaction':
      return readCompaction(entry)
    case 'branch_summary':
      return readWords('user', entry.summary)
    case 'custom_message':
      return readWords('user', edited ?? entry.content)
    default: {
      const message = asObject(entry.message)
      return readMessage(message && edited !== undefined ? { ...message, content: edited } : message)
    }
  }
}

/** A compaction speaks for what it covers: the system text it restates, its summary, the messages it holds itself. */
function readCompaction(entry: Entry): Reading {
  const system = asObject(entry.systemMessage)
  const held = Array.isArray(entry.retainedTail) ? entry.retainedTail.map(asObject) : []
  const readings = [
    ...(system?.role === 'system' ? [readMessage(system)] : []),
    readWords('user', typeof entry.summary === 'string' ? entry.summary : ''),
    ...held.map(readMessage),
  ]
  const says = readings.flatMap((reading) => (isHeard(reading) ? reading.says : []))
  const reasons: readonly OutReason[] = typeof entry.summary === 'string' ? ['empty'] : ['empty', 'unreadable']
  return { says, reasons: says.length > 0 && typeof entry.summary === 'string' ? [] : reasons }
}

function isHeard({ reasons }: Reading): boolean {
  return reasons.length === 0 || reasons.includes('in')
}

function readMessage(message: Json | undefined): Reading {
  switch (message?.role) {
    case 'user':
    case 'custom':
    case 'hookMessage':
      return readWords('user', message.content)
    case 'system':
    case 'developer':
      return readSystem(message)
    case 'assistant':
      return readAssistant(message)
    case 'toolResult':
      return readResult(message)
    case 'bashExecution':
    case 'pythonExecution': {
      const { says } = readTexts('user', [message.command ?? message.code, message.output])
      return { says, reasons: message.excludeFromContext === true ? ['excluded'] : [] }
    }
    case 'fileMention': {
      const files = Array.isArray(message.files) ? message.files.map(asObject) : []
      return readTexts(
        'user',
        files.flatMap((file) => [file?.path, file?.content, ...imagesIn([file?.image])]),
      )
    }
    default: {
      if (typeof message?.role !== 'string') return { says: [NOTHING], reasons: ['empty', 'unreadable'] }
      // No tool we know writes such a role; what it says may be sent.
      const { says } = readWords('user', message.content)
      return { says, reasons: ['in', 'empty'] }
    }
  }
}

/** Providers take nothing but text as system; images in it may be lost. */
function readSystem({ content, sections }: Json): Reading {
  const { says, reasons } = readTexts('system', [...textsIn(content), ...Object.values(asObject(sections) ?? {})])
  const optional = imagesIn(content).flatMap(markersIn)
  return { says: says.map((said) => ({ ...said, optional })), reasons: orIn(reasons, content) }
}

/** An image that no provider takes is nothing, or a word that says so. */
function orIn(reasons: Reading['reasons'], content: unknown): Reading['reasons'] {
  const hasImage = Array.isArray(content) && content.some((block) => asObject(block)?.type === 'image')
  return reasons.length > 0 && hasImage ? ['in', ...reasons] : reasons
}

/** Reasoning behind the first text or call cannot be sent back to the providers that ask for it. */
function readAssistant({ content, stopReason }: Json): Reading {
  const texts = textsIn(content)
  const blocks = Array.isArray(content) ? content.map(asObject) : []
  const calls: SaidCall[] = []
  const thoughts: string[] = []
  let leading = true
  for (const block of blocks) {
    if (block?.type === 'toolCall') calls.push({ id: asText(block.id), name: block.name, input: block.arguments })
    if (block?.type === 'toolCall' || textsIn([block]).length > 0) leading = false
    const isThought = block?.type === 'thinking' || block?.type === 'redactedThinking'
    if (leading && isThought) thoughts.push(...markersIn([block.thinking, block.thinkingSignature, block.data]))
  }
  const silent = texts.length === 0 && calls.length === 0
  const failed = stopReason === 'error' || (stopReason === 'aborted' && silent)
  const reasons: OutReason[] = failed ? ['failed'] : silent ? ['empty'] : []
  return { says: [{ ...NOTHING, as: 'assistant', words: texts.flatMap(markersIn), thoughts, calls }], reasons }
}

function readResult({ content, toolCallId, isError }: Json): Reading {
  const { says, reasons } = readWords('user', content)
  const result = { as: 'result', callId: asText(toolCallId), isError: isError === true } as const
  // Where it answers a call it stands for "no output"; elsewhere it may go.
  return { says: says.map((said) => ({ ...said, ...result })), reasons: reasons.length > 0 ? ['in', 'empty'] : [] }
}

function readWords(as: Said['as'], content: unknown): Reading {
  const blocks: unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }]
  const words = blocks.flatMap((block) => [...textsIn([block]), ...imagesIn([block])])
  const { says, reasons } = readTexts(as, words)
  return { says, reasons: orIn(reasons, content) }
}

function readTexts(as: Said['as'], texts: readonly unknown[]): Reading {
  const readable = texts.filter(isReadable)
  return {
    says: [{ ...NOTHING, as, words: readable.flatMap(markersIn) }],
    reasons: readable.length === 0 ? ['empty'] : [],
  }
}

function textsIn(content: unknown): string[] {
  if (!Array.isArray(content)) return [content].filter(isReadable)
  return content.map(asObject).flatMap((block) => (block?.type === 'text' ? [block.text].filter(isReadable) : []))
}

function imagesIn(content: unknown): string[] {
  if (!Array.isArray(content)) return []
  return content.map(asObject).flatMap((block) => {
    const { type, data, mimeType } = block ?? {}
    const usable = typeof data === 'string' && BASE64.test(data) && asText(mimeType).startsWith('image/')
    return type === 'image' && usable ? [data] : []
  })
}

function isReadable(text: unknown): text is string {
  return typeof text === 'string' && text.trim() !== ''
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function asObject(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
}

export function markersIn(value: unknown): string[] {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).match(MARKER) ?? []
}
