import { z } from 'zod'
import { THINKING_LEVELS } from '../models/model.ts'
import type { Settings } from './settings.ts'

/** What may be said in one place; nothing has to be. */
export type SettingsPatch = PartsOf<Settings>
type PartsOf<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: PartsOf<T[K]> | undefined }
    : T

/** Every check of a value answers in the same words: what it must be. */
const want = (text: string) => ({ error: `must be ${text}` })

const bool = z.boolean(want('true or false'))

function oneOf<const T extends readonly string[]>(...words: T) {
  return z.enum(words, want(`one of ${words.join(', ')}`))
}

function text(what: string, pattern: RegExp, maxChars: number) {
  return z.string(want(what)).max(maxChars, want(what)).regex(pattern, want(what))
}

function whole(min: number, max: number) {
  const range = want(`a whole number from ${min} to ${max}`)
  return z.int(range).min(min, range).max(max, range)
}

const dollars = z
  .number(want('a number of US dollars, 0 or more'))
  .min(0, want('a number of US dollars, 0 or more'))
  .max(1e9, want('a number of US dollars up to a billion'))

const group = <T extends z.core.$ZodLooseShape>(shape: T) => z.strictObject(shape, want('an object'))
const byName = <K extends z.core.$ZodRecordKey, V extends z.core.SomeType>(name: K, value: V) =>
  z.record(name, value, want('an object'))
const listOf = <T extends z.core.SomeType>(item: T, what: string, maxItems: number) =>
  z.array(item, want(what)).max(maxItems, want(`${what}, ${maxItems} at most`))

const modelRef = text('a model as provider/model', /^[^\s/]+\/[^\s\p{C}?#%\\]+$/u, 300)
const tokens = whole(0, 1_000_000_000)
/** What a timer can wait. */
const DAY_MS = 86_400_000

const provider = group({
  api: oneOf('openai', 'anthropic', 'google', 'openai-compatible').optional(),
  baseUrl: text('an http or https address without a password', /^https?:\/\/[^\s/@]+(\/[^\s]*)?$/i, 2_000).optional(),
  keyVariable: text('the name of an environment variable', /^[A-Za-z_]\w*$/, 200).optional(),
  headers: byName(
    text('the name of a header', /^[\w!#$%&'*+.^`|~-]+$/, 200),
    text('text on one line', /^[^\r\n\0]*$/, 10_000),
  ).optional(),
})

const modelInfo = group({
  contextWindow: whole(1, 1_000_000_000).optional(),
  maxOutput: whole(1, 1_000_000_000).optional(),
  prices: group({
    input: dollars,
    output: dollars,
    cacheRead: dollars.optional(),
    cacheWrite: dollars.optional(),
  }).optional(),
  thinking: listOf(
    oneOf(...THINKING_LEVELS),
    `a list of ${THINKING_LEVELS.join(', ')}`,
    THINKING_LEVELS.length,
  ).optional(),
  images: bool.optional(),
})

/** One check for each key there is: the compiler finds one that is missing. */
const SHAPE = {
  model: modelRef.optional(),
  roles: byName(text('the name of a role', /^[A-Za-z][\w-]*$/, 64), modelRef).optional(),
  thinkingLevel: oneOf(...THINKING_LEVELS).optional(),
  approvalMode: oneOf('default', 'autoEdit', 'yolo').optional(),
  systemPrompt: text('text of 500,000 characters at most', /^/, 500_000).optional(),
  projectInstructions: bool.optional(),
  autoTitle: bool.optional(),
  bell: oneOf('long', 'always', 'never').optional(),
  tools: listOf(text('names of tools', /^[\w.-]+$/, 128), 'a list of names of tools', 1_000).optional(),
  bashTimeoutMs: whole(1, DAY_MS).optional(),
  maxSteps: whole(1, 1_000_000).optional(),
  stallMs: whole(1, DAY_MS).optional(),
  compaction: group({
    enabled: bool.optional(),
    policy: oneOf('pi', 'neovate').optional(),
    reserveTokens: tokens.optional(),
    keepRecentTokens: tokens.optional(),
  }).optional(),
  branchSummary: group({ reserveTokens: tokens.optional(), skipPrompt: bool.optional() }).optional(),
  retry: group({
    enabled: bool.optional(),
    maxRetries: whole(0, 1_000).optional(),
    baseDelayMs: whole(0, DAY_MS).optional(),
    maxDelayMs: whole(0, DAY_MS).optional(),
  }).optional(),
  spend: group({ perSession: dollars.optional(), perDay: dollars.optional() }).optional(),
  generation: group({
    perSession: whole(1, 10_000).optional(),
    total: whole(1, 10_000).optional(),
    queued: whole(0, 100_000).optional(),
  }).optional(),
  providers: byName(text('the name of a provider', /^[A-Za-z0-9][\w.-]*$/, 64), provider).optional(),
  models: byName(modelRef, modelInfo).optional(),
} satisfies Record<keyof Settings, z.ZodType>

export const settingsSchema = z.strictObject(SHAPE, want('an object'))

/** Which keys the object at this path may have; none when it is not an object of ours. */
export function knownKeysAt(path: readonly string[]): readonly string[] {
  let at: unknown = settingsSchema
  for (const part of path) {
    const inner = withoutOptional(at)
    at = inner instanceof z.ZodObject ? inner.shape[part] : inner instanceof z.ZodRecord ? inner.valueType : undefined
  }
  const found = withoutOptional(at)
  return found instanceof z.ZodObject ? Object.keys(found.shape) : []
}

function withoutOptional(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? schema.unwrap() : schema
}
