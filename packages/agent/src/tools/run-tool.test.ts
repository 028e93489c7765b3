import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { prepareCall } from './prepare-call.ts'
import { runTool } from './run-tool.ts'
import { openBench, textOfOutput } from './testing/tool-bench.ts'
import type { Tool, ToolOutput } from './tool.ts'

const input = z.strictObject({ name: z.string(), count: z.int().min(1).optional(), deep: z.unknown().optional() })
type Input = z.infer<typeof input>

function toolOf(run: Tool<Input>['run'], given: Partial<Tool<Input>> = {}): Tool<Input> {
  const preview = () => ({ title: 'try' })
  return { name: 'try', description: '', input, effect: 'read', isRepeatable: true, preview, run, ...given }
}

const hello: ToolOutput = { content: [{ type: 'text', text: 'hello' }] }
const tool = toolOf(async () => hello)

test('a call that fits is ready, with its preview', async () => {
  const { context } = await openBench()
  const prepared = await prepareCall([tool], { name: 'try', arguments: { name: 'x' } }, context())
  expect(prepared).toEqual({ type: 'ready', tool, input: { name: 'x' }, preview: { title: 'try' } })
})

test.each<[string, string, object, string]>([
  ['an unknown tool', 'tr\u001by', {}, 'There is no tool "tr⟨U+001B⟩y". There are: try.'],
  ['a missing field', 'try', {}, '- name: Invalid input: expected string, received undefined'],
  ['a wrong field', 'try', { name: 'x', count: 0 }, '- count: Too small'],
  ['a field nobody knows', 'try', { name: 'x', nmae: 'y' }, 'Unrecognized key: "nmae"'],
  ['__proto__', 'try', JSON.parse('{"name":"x","__proto__":{"count":1}}'), 'Unrecognized key'],
  [
    'an input of endless depth',
    'try',
    { name: 'x', deep: JSON.parse('['.repeat(5000) + ']'.repeat(5000)) },
    'nested more than 32 deep',
  ],
  ['an input of endless length', 'try', { name: 'x'.repeat(8_000_001) }, 'more than 8000000 characters'],
])('%s is refused, and the model is told', async (_, name, args, words) => {
  const { context } = await openBench()
  const prepared = await prepareCall([tool], { name, arguments: args as Record<string, unknown> }, context())
  expect(prepared).toMatchObject({ type: 'refused', output: { isError: true } })
  expect(prepared.type === 'refused' && textOfOutput(prepared.output)).toContain(words)
})

test('a call whose preview fails is refused before anyone is asked', async () => {
  const { context } = await openBench()
  const broken = toolOf(async () => hello, { preview: () => Promise.reject(new Error('no such file')) })
  const prepared = await prepareCall([broken], { name: 'try', arguments: { name: 'x' } }, context())
  expect(prepared).toEqual({
    type: 'refused',
    output: { content: [{ type: 'text', text: 'no such file' }], isError: true },
  })
})

const cases: [string, Tool<Input>['run'], string][] = [
  ['throws', () => Promise.reject(new Error('it broke')), 'it broke'],
  [
    'throws at once',
    () => {
      throw new TypeError('at once')
    },
    'at once',
  ],
  ['throws text', () => Promise.reject('just text'), 'just text'],
  ['throws nothing', () => Promise.reject(undefined), 'The tool failed and did not say why.'],
  ['gives nothing', async () => undefined as never, 'gave back something that is no output'],
  ['gives nonsense', async () => ({ content: [{ type: 'text' }] }) as never, 'gave back something that is no output'],
]

test.each(cases)('a tool that %s ends in words, without a stack', async (_, run, words) => {
  const { context } = await openBench()
  const output = await runTool(toolOf(run), { name: 'x' }, context())
  expect(output.isError).toBe(true)
  expect(textOfOutput(output)).toContain(words)
  expect(textOfOutput(output)).not.toMatch(/\.ts:\d+/)
})

test('what a tool gives is limited, and details no log would take are left out', async () => {
  const { context, session } = await openBench()
  const ring: Record<string, unknown> = {}
  ring.self = ring
  const long = { content: [{ type: 'text', text: 'x\n'.repeat(90_000) }], details: ring } as const
  const output = await runTool(
    toolOf(async () => long),
    { name: 'x' },
    context(),
  )
  expect(textOfOutput(output).length).toBeLessThan(51_200)
  expect(output.details).toMatchObject({ note: 'The details of this output could not be stored.' })
  for (const details of [{ n: 1n }, { text: 'x'.repeat(3_000_000) }]) {
    const { details: kept } = await runTool(
      toolOf(async () => ({ ...hello, details })),
      { name: 'x' },
      context(),
    )
    expect(kept).toEqual({ note: 'The details of this output could not be stored.' })
  }
  await session.append({ type: 'custom', customType: 'test', data: output })
})

test('a tool that ends with what it has when it is cancelled has its say', async () => {
  const { context } = await openBench()
  const cancel = new AbortController()
  const polite = toolOf(
    (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(hello))),
  )
  const running = runTool(polite, { name: 'x' }, context({ signal: cancel.signal }))
  cancel.abort()
  expect(await running).toEqual(hello)
})

test('a tool that fails because it is cancelled says that it was cancelled', async () => {
  const { context } = await openBench()
  const cancel = new AbortController()
  const failing = toolOf(
    (_, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )
  const running = runTool(failing, { name: 'x' }, context({ signal: cancel.signal }))
  cancel.abort()
  expect(await running).toMatchObject({ isError: true, details: { cancelled: true } })
})

test('a tool that does not hear is left alone in the end', async () => {
  const { context } = await openBench()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const cancel = new AbortController()
  const running = runTool(
    toolOf(() => new Promise(() => {})),
    { name: 'x' },
    context({ signal: cancel.signal }),
  )
  cancel.abort()
  await vi.advanceTimersByTimeAsync(8000)
  expect(textOfOutput(await running)).toContain('Cancelled')
})

test('what a tool throws or refuses names no key', async () => {
  const { context } = await openBench()
  const secrets = ['sk-live-0123456789', 'sk-live-0123456789abcdef']
  const fail = () => Promise.reject(new Error(`no ${secrets[1]} here`))
  const output = await runTool(toolOf(fail), { name: 'x' }, context({ secrets }))
  expect(textOfOutput(output)).toBe('no *** here')
  const call = { name: 'try', arguments: { name: 'x' } }
  const prepared = await prepareCall([toolOf(async () => hello, { preview: fail })], call, context({ secrets }))
  expect(prepared.type === 'refused' && textOfOutput(prepared.output)).toBe('no *** here')
})

test('details that cannot be searched for keys cost the details, not the output', async () => {
  const { context } = await openBench()
  const odd = toolOf(async () => ({ ...hello, details: { n: 1n } }))
  const output = await runTool(odd, { name: 'x' }, context({ secrets: ['sk-live-0123456789'] }))
  expect(textOfOutput(output)).toBe('hello')
  expect(output.details).toEqual({ note: expect.any(String) })
})
