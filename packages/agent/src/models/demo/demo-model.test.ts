import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { APICallError } from '@ai-sdk/provider'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { modelInfo } from '../model-info.ts'
import { createDemoModel } from './demo-model.ts'

const demo = createDemoModel({ delayMs: 0 })
const LABEL = /^I am Treeline's demo, not a real model/

function says(text: string): LanguageModelV4Message {
  return { role: 'user', content: [{ type: 'text', text }] }
}

function tool(name: string, ...properties: readonly string[]): LanguageModelV4FunctionTool {
  const schema = { type: 'object' as const, properties: Object.fromEntries(properties.map((key) => [key, {}])) }
  return { type: 'function', name, inputSchema: schema }
}

const TOOLS = [
  tool('ls', 'path'),
  tool('read', 'path'),
  tool('bash', 'command'),
  tool('grep', 'pattern', 'path'),
  tool('write', 'path', 'content'),
  tool('edit', 'path', 'edits'),
]

interface Streamed {
  readonly parts: readonly LanguageModelV4StreamPart[]
  readonly text: string
  readonly thinking: string
  readonly calls: readonly { readonly name: string; readonly input: unknown }[]
  readonly finish: Extract<LanguageModelV4StreamPart, { type: 'finish' }>
}

async function stream(prompt: readonly LanguageModelV4Message[], more: Partial<LanguageModelV4CallOptions> = {}) {
  const { stream: streaming } = await demo.doStream({ prompt: [...prompt], ...more })
  const parts: LanguageModelV4StreamPart[] = []
  for await (const part of streaming) parts.push(part)
  return read(parts)
}

function read(parts: readonly LanguageModelV4StreamPart[]): Streamed {
  const all = <T extends LanguageModelV4StreamPart['type']>(type: T) =>
    parts.filter((part): part is Extract<LanguageModelV4StreamPart, { type: T }> => part.type === type)
  return {
    parts,
    text: all('text-delta')
      .map(({ delta }) => delta)
      .join(''),
    thinking: all('reasoning-delta')
      .map(({ delta }) => delta)
      .join(''),
    calls: all('tool-call').map(({ toolName, input }) => ({ name: toolName, input: JSON.parse(input) })),
    finish: all('finish')[0]!,
  }
}

describe('talking', () => {
  test('begins by saying what it is, streams word by word, and counts', async () => {
    const { parts, text, finish } = await stream([says('Hello there')])
    expect(text).toMatch(LABEL)
    expect(text).toContain('“Hello there”')
    const deltas = parts.filter(({ type }) => type === 'text-delta')
    expect(deltas.length).toBe(text.split(/\s+/).length)
    expect(parts.map(({ type }) => type).filter((type) => !type.endsWith('delta'))).toEqual([
      'stream-start',
      'text-start',
      'text-end',
      'finish',
    ])
    expect(finish).toMatchObject({
      finishReason: { unified: 'stop' },
      usage: { inputTokens: { total: 3 }, outputTokens: { total: Math.ceil(text.length / 4), reasoning: 0 } },
    })
  })

  test('thinks when a level is set, and only then', async () => {
    const { thinking, parts, finish } = await stream([says('Hello')], { reasoning: 'high' })
    expect(thinking).toContain('high')
    expect(parts[1]).toEqual({ type: 'reasoning-start', id: 'thinking' })
    expect(finish.usage.outputTokens.reasoning).toBe(Math.ceil(thinking.length / 4))
    for (const reasoning of ['none', 'provider-default'] as const) {
      expect((await stream([says('Hello')], { reasoning })).thinking).toBe('')
    }
  })

  test('says as many words as are wanted, and stops at the limit it is given', async () => {
    expect((await stream([says('say 500 words')])).text.split(' ').length).toBeGreaterThan(500)
    const { text, finish } = await stream([says('say 500 words')], { maxOutputTokens: 20 })
    expect(text.length).toBe(80)
    expect(finish.finishReason.unified).toBe('length')
  })

  test('any conversation gets the same answer every time', async () => {
    const message = fc.oneof(
      fc.string({ unit: 'binary' }).map(says),
      fc.string().map((text): LanguageModelV4Message => ({ role: 'assistant', content: [{ type: 'text', text }] })),
      fc.string().map((content): LanguageModelV4Message => ({ role: 'system', content })),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 5 }), async (prompt) => {
        const first = await stream(prompt, { tools: TOOLS })
        expect(first.text).toMatch(LABEL)
        expect((await stream(prompt, { tools: TOOLS })).parts).toEqual(first.parts)
      }),
      { numRuns: 50 },
    )
  })

  test('answers at once the same as streamed', async () => {
    for (const asked of ['Hello', 'list the files']) {
      const options = { prompt: [says(asked)], tools: TOOLS, reasoning: 'low' as const }
      const streamed = await stream(options.prompt, options)
      const { content, usage, finishReason } = await demo.doGenerate(options)
      expect(content).toEqual([
        { type: 'reasoning', text: streamed.thinking },
        { type: 'text', text: streamed.text },
        ...streamed.parts.filter(({ type }) => type === 'tool-call'),
      ])
      expect({ usage, finishReason }).toEqual({
        usage: streamed.finish.usage,
        finishReason: streamed.finish.finishReason,
      })
    }
  })
})

describe('tools', () => {
  test.each([
    ['Please list the files.', 'ls', { path: '.' }],
    ['read src/a.ts, please', 'read', { path: 'src/a.ts' }],
    ['Read the file "my notes.md".', 'read', { path: 'my notes.md' }],
    ['run `echo hi | wc -c`', 'bash', { command: 'echo hi | wc -c' }],
    ['run "date"', 'bash', { command: 'date' }],
    ['Search for TODO', 'grep', { pattern: 'TODO' }],
    ['write "hello world" to notes/a.txt.', 'write', { path: 'notes/a.txt', content: 'hello world\n' }],
    ['use the tool edit with {"path":"a","edits":[1]}', 'edit', { path: 'a', edits: [1] }],
  ])('%j calls %s', async (asked, name, input) => {
    const { calls, finish, text, parts } = await stream([says(asked)], { tools: TOOLS })
    expect(calls).toEqual([{ name, input }])
    expect(finish.finishReason.unified).toBe('tool-calls')
    expect(text).toMatch(LABEL)
    const types = parts.map(({ type }) => type).slice(-5)
    expect(types).toEqual(['tool-input-start', 'tool-input-delta', 'tool-input-end', 'tool-call', 'finish'])
  })

  test('arguments are named as the tool names them', async () => {
    const { calls } = await stream([says('read a.txt')], { tools: [tool('read', 'file_path', 'offset')] })
    expect(calls).toEqual([{ name: 'read', input: { file_path: 'a.txt' } }])
  })

  test('two at once when they are wanted in parallel, each with a name of its own', async () => {
    const { calls, parts } = await stream([says('Use the tools in parallel')], { tools: TOOLS })
    expect(calls.map(({ name }) => name)).toEqual(['ls', 'grep'])
    const ids = parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
    const later = await stream([says('Use the tools in parallel'), says('Use the tools in parallel')], { tools: TOOLS })
    const laterIds = later.parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
    expect(new Set([...ids, ...laterIds]).size).toBe(4)
  })

  test('none when none is offered, wanted or allowed', async () => {
    expect((await stream([says('list the files')])).calls).toEqual([])
    expect((await stream([says('list the files')], { tools: [tool('read', 'path')] })).calls).toEqual([])
    expect((await stream([says('How are you?')], { tools: TOOLS })).calls).toEqual([])
    const { calls } = await stream([says('list the files')], { tools: TOOLS, toolChoice: { type: 'none' } })
    expect(calls).toEqual([])
    expect((await stream([says('use the tool ls with {broken}')], { tools: TOOLS })).calls).toEqual([])
  })

  test('comments on what came back, and calls nothing again', async () => {
    const result = (toolName: string, output: object) =>
      ({ type: 'tool-result', toolCallId: 'x', toolName, output }) as never
    const prompt: LanguageModelV4Message[] = [
      says('list the files'),
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'x', toolName: 'ls', input: { path: '.' } }] },
      {
        role: 'tool',
        content: [
          result('ls', { type: 'text', value: 'a.txt\nb.txt\n' }),
          result('bash', { type: 'error-text', value: 'no such command' }),
          result('write', { type: 'execution-denied', reason: 'not now' }),
          result('read', { type: 'content', value: [{ type: 'text', text: '' }] }),
        ],
      },
    ]
    const { text, calls, finish } = await stream(prompt, { tools: TOOLS })
    expect(text).toMatch(LABEL)
    expect(text).toContain('- ls: 2 lines, the first of them: a.txt')
    expect(text).toContain('- bash: it failed: no such command')
    expect(text).toContain('- write: it was not allowed (not now)')
    expect(text).toContain('- read: nothing')
    expect([calls, finish.finishReason.unified]).toEqual([[], 'stop'])
  })
})

describe('jobs', () => {
  const CONVERSATION = [
    '<conversation>\n<message from="user">\nFix the parser\n</message>',
    '<message from="assistant">\nIt stops at the first bad line.\n<call tool="read">{"path":"a.ts"}</call>\n</message>',
    '<result tool="read" error="true">\nno such file\n</result>',
    '<message from="user">\nThen make it go on.\n</message>\n</conversation>',
  ].join('\n\n')
  const job = async (purpose: string, text: string) =>
    (await stream([says(text)], { providerOptions: { treeline: { purpose } } })).text

  test.each(['summary', 'branch-summary'])('M13 a %s has the parts it should have', async (purpose) => {
    const text = await job(purpose, CONVERSATION)
    expect(text.match(/^##+ .*$/gm)).toEqual([
      '## Goal',
      '## Constraints & Preferences',
      '## Progress',
      '### Done',
      '### In Progress',
      '### Blocked',
      '## Key Decisions',
      '## Next Steps',
      '## Critical Context',
    ])
    expect(text).toContain('## Goal\n- Fix the parser')
    expect(text).toContain('### Done\n- It stops at the first bad line.')
    expect(text).toContain('### Blocked\n- no such file')
    expect(text).toContain('## Next Steps\n- Then make it go on.')
    expect(text).toContain("Treeline's demo, not by a real model")
  })

  test('a summary keeps the goal of the one before', async () => {
    const again = `<summary>\n## Goal\n- Write a compiler\n</summary>\n${CONVERSATION}`
    expect(await job('summary', again)).toContain('## Goal\n- Write a compiler')
  })

  test('a summary is short, however long the conversation was', async () => {
    const long = Array.from(
      { length: 500 },
      (_, i) => `<message from="assistant">\n${i} ${'word '.repeat(30)}\n</message>`,
    )
    expect((await job('summary', long.join('\n'))).length).toBeLessThan(3_000)
  })

  test('a merge tells what the branches say', async () => {
    expect(await job('merge', CONVERSATION)).toMatch(
      /^Merged by Treeline's demo, not by a real model[\s\S]*first bad line/,
    )
  })

  test('a title has at most six words', async () => {
    expect(await job('title', 'Why, oh why, does the (old) parser stop at line 7?')).toBe('Why oh why does the old')
    expect(await job('title', CONVERSATION)).toBe('Fix the parser')
    expect(await job('title', '!!! ???')).toBe('Untitled')
  })
})

describe('faults', () => {
  test('a question over its window fails as a provider does', async () => {
    const { contextWindow } = modelInfo('demo', 'demo', { overrides: {} })
    expect(contextWindow).toBe(32_000)
    await expect(stream([says('x'.repeat(contextWindow * 4))])).resolves.toBeDefined()
    const failed = await demo
      .doStream({ prompt: [says('x'.repeat(contextWindow * 4 + 1))] })
      .then(undefined, (error) => error)
    expect(APICallError.isInstance(failed)).toBe(true)
    expect(failed).toMatchObject({
      statusCode: 400,
      isRetryable: false,
      message: expect.stringContaining('32000 tokens'),
    })
    expect(failed.responseBody).toContain('context_length_exceeded')
  })

  test('an abort before the call, and one in the middle of a word, end it at once with its reason', async () => {
    const reason = new Error('enough')
    await expect(stream([says('hi')], { abortSignal: AbortSignal.abort(reason) })).rejects.toBe(reason)

    const stop = new AbortController()
    const slow = createDemoModel({ delayMs: 3_600_000 })
    const { stream: streaming } = await slow.doStream({ prompt: [says('hi')], abortSignal: stop.signal })
    const reader = streaming.getReader()
    expect((await reader.read()).value?.type).toBe('stream-start')
    expect((await reader.read()).value?.type).toBe('text-start')
    const next = reader.read()
    stop.abort(reason)
    await expect(next).rejects.toBe(reason)
  })

  test('an abort while nobody reads ends it too', async () => {
    const stop = new AbortController()
    const { stream: streaming } = await demo.doStream({ prompt: [says('hi')], abortSignal: stop.signal })
    const reason = new Error('enough')
    stop.abort(reason)
    await expect(streaming.getReader().read()).rejects.toBe(reason)
  })

  test('an abort ends an answer that is given at once', async () => {
    const stop = new AbortController()
    const answering = createDemoModel({ delayMs: 3_600_000 }).doGenerate({
      prompt: [says('hi')],
      abortSignal: stop.signal,
    })
    stop.abort(new Error('enough'))
    await expect(answering).rejects.toThrow('enough')
  })

  test('one who stops reading leaves nothing behind', async () => {
    const { stream: streaming } = await demo.doStream({
      prompt: [says('hi')],
      abortSignal: new AbortController().signal,
    })
    const reader = streaming.getReader()
    await reader.read()
    await expect(reader.cancel()).resolves.toBeUndefined()
  })
})
