/** The four dialects the server speaks, by the path it is asked at. */
export type WireFormat = 'openai-responses' | 'openai-chat' | 'anthropic' | 'google'

/** What the model is to say, in no provider's dialect. */
export interface ModelReply {
  readonly thinking?: string
  /** Proof of the thinking; Google puts it on the first tool call, too. One is made up when there is thinking. */
  readonly signature?: string
  /** Thinking that only the provider can read (Anthropic). */
  readonly redacted?: string
  readonly text?: string
  readonly toolCalls?: readonly ReplyToolCall[]
  readonly usage?: ReplyUsage
  /** Characters of each piece; 16 by default. */
  readonly chunkChars?: number
  /** `tool_use` with tool calls, else `stop`. */
  readonly stop?: 'stop' | 'length' | 'tool_use' | 'filter'
  readonly fault?: Fault
}

export interface ReplyToolCall {
  readonly id?: string
  readonly name: string
  /** A text is sent as it is, so that it need not be JSON (but for Google, which sends objects). */
  readonly input: unknown
}

/** Tokens. `input` is all of the prompt, `output` all that came, as providers bill it. */
export interface ReplyUsage {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  readonly reasoning?: number
}

/** `after` counts pieces of thinking, text and tool input that are sent before; 1 by default. */
export type Fault =
  /** Waits for the gate before each piece; the first has index 0. */
  | { readonly type: 'slow'; readonly gate: (index: number) => Promise<void> }
  /** The connection is torn. */
  | { readonly type: 'cut'; readonly after?: number }
  /** The stream ends in good order, but without the end of the answer. */
  | { readonly type: 'no_finish' }
  | { readonly type: 'malformed_json'; readonly after?: number }
  /** Bytes that are no UTF-8 in the middle of the text. */
  | { readonly type: 'bad_utf8' }
  /** An error told of in the stream, as providers do under load. */
  | { readonly type: 'stream_error'; readonly after?: number }
  /** Status and body as the provider answers them. */
  | { readonly type: Refusal; readonly headers?: Readonly<Record<string, string>> }
  /** A page instead of a stream, with status 200. */
  | { readonly type: 'wrong_type' }
  /** Takes the question and says nothing. */
  | { readonly type: 'silent' }

export type Refusal =
  | 'rate_limit'
  | 'overloaded'
  | 'server_error'
  | 'overflow'
  | 'unauthorized'
  | 'no_model'
  | 'content_filter'

/** What a request asked for, as far as an answer depends on it. */
export interface WireRequest {
  readonly model: string
  readonly body: Readonly<Record<string, unknown>>
}

/** A piece of a stream. `delta` is thinking, text or tool input; `finish` tells that the answer is complete. */
export interface Frame {
  readonly kind: 'start' | 'delta' | 'finish'
  readonly data: string
}

/** A text in pieces of so many characters, none of which is cut in two. */
export function* pieces(text: string, { chunkChars = 16 }: ModelReply): Generator<string> {
  let piece = ''
  let chars = 0
  for (const char of text) {
    piece += char
    chars++
    if (chars < chunkChars) continue
    yield piece
    piece = ''
    chars = 0
  }
  if (piece !== '') yield piece
}

export function inputText({ input }: ReplyToolCall): string {
  return typeof input === 'string' ? input : JSON.stringify(input)
}

export function signatureFor({ thinking = '', signature }: ModelReply): string {
  return signature ?? Buffer.from(`signed: ${thinking}`).toString('base64')
}

export function usageOf({ usage }: ModelReply): Required<ReplyUsage> {
  return { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, reasoning: 0, ...usage }
}

export function stopOf({ stop, toolCalls = [] }: ModelReply): NonNullable<ModelReply['stop']> {
  return stop ?? (toolCalls.length > 0 ? 'tool_use' : 'stop')
}
