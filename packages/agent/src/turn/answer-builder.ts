import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import type { AssistantBlock, ToolCallBlock } from '@treeline/core'
import type { PartialPiece } from './partial-text.ts'
import { signatureOf } from './signature.ts'

interface OpenBlock {
  readonly kind: 'text' | 'thinking'
  readonly index: number
  text: string
  signature: string | undefined
  /** Anthropic: thinking that only the provider can read. */
  redacted: string | undefined
}

/** What a call of the model ended with. */
export interface StreamEnd {
  readonly reason: LanguageModelV4FinishReason['unified']
  readonly usage: LanguageModelV4Usage
}

/** Puts an answer together from the parts of a stream. */
export class AnswerBuilder {
  end: StreamEnd | undefined
  responseId: string | undefined
  /** Which model answered, where that is not the one that was asked for. */
  responseModel: string | undefined
  private readonly provider: string
  private readonly blocks: (OpenBlock | ToolCallBlock)[] = []
  /** By the stream's own id; the latest of a kind for parts that come without a start. */
  private readonly open = new Map<string, OpenBlock>()
  private readonly chars = { text: 0, thinking: 0 }

  constructor(provider: string) {
    this.provider = provider
  }

  /** Takes a part in. Returns the text it adds, if it does, with how much of its kind came before. */
  read(part: LanguageModelV4StreamPart): (PartialPiece & { readonly offset: number }) | undefined {
    switch (part.type) {
      case 'text-delta':
        return this.add('text', part.id, part.delta)
      case 'reasoning-delta':
        this.sign('thinking', part.id, part.providerMetadata)
        return part.delta === '' ? undefined : this.add('thinking', part.id, part.delta)
      case 'text-start':
      case 'text-end':
        this.sign('text', part.id, part.providerMetadata)
        return undefined
      case 'reasoning-start':
      case 'reasoning-end':
        this.sign('thinking', part.id, part.providerMetadata)
        return undefined
      case 'tool-call':
        this.blocks.push(this.readCall(part))
        return undefined
      case 'response-metadata':
        this.responseId = part.id ?? this.responseId
        this.responseModel = part.modelId ?? this.responseModel
        return undefined
      case 'finish':
        this.end = { reason: part.finishReason.unified, usage: part.usage }
        return undefined
      default:
        return undefined
    }
  }

  get hasText(): boolean {
    return this.chars.text > 0 || this.chars.thinking > 0
  }

  get calls(): readonly ToolCallBlock[] {
    return this.blocks.filter((block) => 'type' in block)
  }

  /** Without what turned out to be empty. */
  content({ withCalls }: { readonly withCalls: boolean }): AssistantBlock[] {
    const content: AssistantBlock[] = []
    for (const block of this.blocks) {
      if ('type' in block) {
        if (withCalls) content.push(block)
      } else {
        const said = toBlock(block)
        if (said !== undefined) content.push(said)
      }
    }
    return content
  }

  private add(kind: 'text' | 'thinking', id: string, text: string): PartialPiece & { readonly offset: number } {
    const block = this.find(kind, id)
    block.text += text
    const offset = this.chars[kind]
    this.chars[kind] += text.length
    return { kind, block: block.index, text, offset }
  }

  private find(kind: 'text' | 'thinking', id: string): OpenBlock {
    const key = `${kind}:${id}`
    let block = this.open.get(key)
    if (block === undefined) {
      block = { kind, index: this.blocks.length, text: '', signature: undefined, redacted: undefined }
      this.blocks.push(block)
      this.open.set(key, block)
    }
    return block
  }

  private sign(kind: 'text' | 'thinking', id: string, metadata: SharedV4ProviderMetadata | undefined): void {
    if (metadata === undefined) return
    const signature = signatureOf(metadata, this.provider)
    if (signature !== undefined) this.find(kind, id).signature = signature
    const redacted = metadata.anthropic?.redactedData
    if (typeof redacted === 'string') this.find(kind, id).redacted = redacted
  }

  private readCall(part: Extract<LanguageModelV4StreamPart, { type: 'tool-call' }>): ToolCallBlock {
    const signature = part.providerMetadata && signatureOf(part.providerMetadata, this.provider)
    return {
      type: 'toolCall',
      id: this.newCallId(part.toolCallId),
      name: part.toolName,
      arguments: readArguments(part.input),
      ...(signature !== undefined && { thoughtSignature: signature }),
    }
  }

  /** A model that names two calls alike would have what was allowed of one run the other, and no result told apart. */
  private newCallId(asked: string): string {
    const taken = new Set(this.calls.map(({ id }) => id))
    let id = asked
    for (let nth = 2; taken.has(id); nth++) id = `${asked}_${nth}`
    return id
  }
}

function toBlock({ kind, text, signature, redacted }: OpenBlock): AssistantBlock | undefined {
  if (redacted !== undefined) return { type: 'redactedThinking', data: redacted }
  if (kind === 'text') {
    return text === ''
      ? undefined
      : { type: 'text', text, ...(signature !== undefined && { textSignature: signature }) }
  }
  if (text === '' && signature === undefined) return undefined
  return { type: 'thinking', thinking: text, ...(signature !== undefined && { thinkingSignature: signature }) }
}

/** In place of input that could not be read. */
const UNREADABLE = 'unreadable_input'

/** Such a call never runs: a tool that needs no input would take it for none. */
export function isUnreadableCall({ arguments: input }: ToolCallBlock): boolean {
  return Object.hasOwn(input, UNREADABLE)
}

/** What is no object is kept as it came. */
function readArguments(input: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = input.trim() === '' ? {} : JSON.parse(input)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Told to the model where the call would run.
  }
  return { [UNREADABLE]: input }
}
