import type { LineMessage } from '@treeline/core'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../testing/model-server/model-server.ts'
import { PROVIDERS, type ProviderName } from '../testing/provider-models.ts'
import { type Json, sendLine } from '../testing/send-line.ts'

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer()
  server.reply(() => ({ text: 'ok' }))
})
afterAll(() => server.close())

const nodeIds: readonly string[] = []
const system: LineMessage = { role: 'system', nodeIds, content: [{ type: 'text', text: 'Be brief.' }] }
const last: LineMessage = { role: 'user', nodeIds, content: [{ type: 'text', text: 'Go on.' }] }
const ITEM = JSON.stringify({ type: 'reasoning', id: 'rs_7', summary: [], encrypted_content: 'ENC' })

test.each(PROVIDERS)('%s always gets roles by turns, and a result for every call right after it', async (name) => {
  await fc.assert(
    fc.asyncProperty(conversations, async (messages) => {
      expect(problemsOf(await sendLine(server, messages, name), name)).toEqual([])
    }),
    { numRuns: 40 },
  )
})

const text = fc
  .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
  .map((said) => ({ type: 'text' as const, text: `${said}.` }))
const image = fc.constantFrom({ type: 'image' as const, data: 'iVBORw0KGgo=', mimeType: 'image/png' })
const reasoning = fc.record({
  type: fc.constant('reasoning' as const),
  text: fc.string({ maxLength: 8 }),
  signature: fc.constantFrom('SIG', ITEM),
  provider: fc.constantFrom(...PROVIDERS, 'other'),
})

/** Lines as core makes them: a system text, then user and answers by turns, calls with their results between. */
const conversations: fc.Arbitrary<readonly LineMessage[]> = fc
  .array(
    fc.record({
      asked: fc.array(fc.oneof(text, image), { minLength: 1, maxLength: 3 }),
      thought: fc.array(reasoning, { maxLength: 2 }),
      said: text,
      calls: fc.array(
        fc.record({ input: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 }), isError: fc.boolean() }),
        {
          maxLength: 3,
        },
      ),
      returned: fc.array(fc.oneof(text, image), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((turns) => [
    system,
    ...turns.flatMap(({ asked, thought, said, calls, returned }, turn): LineMessage[] => {
      const ids = calls.map((_, index) => `call_${turn}_${index}`)
      const toolCalls = calls.map(({ input }, index) => ({
        type: 'tool_call' as const,
        toolCallId: ids[index] ?? '',
        name: 'ls',
        input,
      }))
      const toolResults = calls.map(({ isError }, index) => ({
        type: 'tool_result' as const,
        toolCallId: ids[index] ?? '',
        name: 'ls',
        output: returned,
        isError,
      }))
      return [
        { role: 'user', nodeIds, content: asked },
        { role: 'assistant', nodeIds, content: [...thought, said, ...toolCalls] },
        ...(calls.length === 0
          ? []
          : [
              { role: 'tool' as const, nodeIds, content: toolResults },
              { role: 'assistant' as const, nodeIds, content: [said] },
            ]),
      ]
    }),
    last,
  ])

/** What the provider would refuse in a body. */
function problemsOf(body: Json, name: ProviderName): readonly string[] {
  switch (name) {
    case 'anthropic':
      return problemsInTurns(
        body.messages?.map(({ role, content }) => ({
          role: String(role),
          calls: [...(content ?? [])].filter(({ type }) => type === 'tool_use').map(({ id }) => id),
          results: [...(content ?? [])].filter(({ type }) => type === 'tool_result').map(({ tool_use_id: id }) => id),
        })) ?? [],
      )
    case 'google':
      return problemsInTurns(
        body.contents?.map(({ role, parts }) => ({
          role: String(role),
          calls: [...(parts ?? [])].flatMap(({ functionCall }) => (functionCall ? [functionCall.id] : [])),
          results: [...(parts ?? [])].flatMap(({ functionResponse }) =>
            functionResponse ? [functionResponse.id] : [],
          ),
        })) ?? [],
      )
    case 'openai':
      return problemsInItems(
        body.input?.map(({ type, call_id: id, role }) => ({
          kind: type === 'function_call' ? 'call' : type === 'function_call_output' ? 'result' : `${role ?? type}`,
          id,
        })) ?? [],
      )
    case 'openai-compatible':
      return problemsInItems(
        body.messages?.flatMap(({ role, tool_calls: calls, tool_call_id: id }) =>
          role === 'tool'
            ? [{ kind: 'result', id }]
            : [
                { kind: `${role}`, id: undefined },
                ...[...(calls ?? [])].map((call) => ({ kind: 'call', id: call.id })),
              ],
        ) ?? [],
      )
  }
}

type Id = string | undefined
interface Turn {
  readonly role: string
  readonly calls: readonly Id[]
  readonly results: readonly Id[]
}

function problemsInTurns(turns: readonly Turn[]): readonly string[] {
  if (turns.length === 0) return ['nothing was sent']
  return turns.flatMap(({ role, results }, index) => {
    const before = turns[index - 1]
    const found = role === before?.role ? [`two ${role} in a row at ${index}`] : []
    if (`${before?.calls ?? ''}` !== `${results}`) found.push(`calls ${before?.calls} got ${results}`)
    return found
  })
}

/** Calls of one answer stand together, and their results right behind them in the same order. */
function problemsInItems(items: readonly { readonly kind: string; readonly id: Id }[]): readonly string[] {
  if (items.length === 0) return ['nothing was sent']
  const problems: string[] = []
  let open: Id[] = []
  for (const { kind, id } of items) {
    if (kind === 'call') open.push(id)
    else if (kind === 'result') {
      if (open.shift() !== id) problems.push(`result ${id} out of order`)
    } else if (open.length > 0) {
      problems.push(`${kind} before the results of ${open}`)
      open = []
    }
  }
  return open.length > 0 ? [...problems, `no results for ${open}`] : problems
}
