import { randomBytes } from 'node:crypto'
import type { ToolResultMessage } from '@treeline/core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { AgentEnv } from '../env.ts'
import { DEFAULT_SETTINGS } from '../settings/settings.ts'
import { PROVIDERS } from '../testing/provider-models.ts'
import { makeTempProject } from '../testing/temp-project.ts'
import { endOf, expectGoesOn, expectWhole, openWireBench, type WireBench } from '../testing/wire-bench.ts'
import { MAX_MODEL_BYTES } from '../tools/limit-output.ts'
import { createBashTool } from '../tools/shell/bash.ts'
import type { AnyTool, ToolOutput } from '../tools/tool.ts'

const yolo = { ...DEFAULT_SETTINGS, approvalMode: 'yolo' as const }

const toolThat = (run: AnyTool['run']): AnyTool => ({
  name: 'odd',
  description: 'Does something odd.',
  input: z.object({}),
  effect: 'run',
  isRepeatable: false,
  preview: () => ({ title: 'odd' }),
  run,
})
const saying = (text: string): ToolOutput => ({ content: [{ type: 'text', text }] })
const odd = { toolCalls: [{ id: 'call_a', name: 'odd', input: {} }] }

async function results({ entries }: WireBench): Promise<ToolResultMessage[]> {
  const found = (await entries()).map(({ message }) => message as ToolResultMessage | undefined)
  return found.filter((message) => message?.role === 'toolResult') as ToolResultMessage[]
}

const textOf = ({ content }: Pick<ToolResultMessage, 'content'>) =>
  content.map((block) => ('text' in block ? block.text : '')).join('')

/** A turn in which the model calls `odd` and then says something about it, with every provider. */
async function callOdd(env: Partial<AgentEnv>, judge: (bench: WireBench, reason: string | undefined) => Promise<void>) {
  for (const provider of PROVIDERS) {
    await using bench = await openWireBench({ provider, env })
    bench.server.reply([odd, { text: 'I see.' }])
    const reason = endOf(await bench.take({ prompt: 'Go' }))
    await judge(bench, reason)
    await expectWhole(bench)
    await expectGoesOn(bench)
  }
}

test('a refused tool: the reason goes to the model, which goes on', async () => {
  const tools = [toolThat(() => Promise.reject(new Error('must not run')))]
  const ask = async () => ({ decision: 'deny' as const, reason: 'not on a Monday' })
  await callOdd({ tools, ask }, async (bench, reason) => {
    expect(reason).toBe('stop')
    expect(JSON.stringify(bench.server.requests[1]?.body)).toContain('not on a Monday')
  })
})

test('a tool refused without a reason ends the turn; what was not run is answered too', async () => {
  const tools = [toolThat(() => Promise.reject(new Error('must not run')))]
  for (const provider of PROVIDERS) {
    await using bench = await openWireBench({ provider, env: { tools, ask: async () => ({ decision: 'deny' }) } })
    bench.server.reply({ toolCalls: ['call_a', 'call_b'].map((id) => ({ id, name: 'odd', input: {} })) })
    expect(endOf(await bench.take({ prompt: 'Go' }))).toBe('denied')
    expect((await results(bench)).map(({ isError }) => isError)).toEqual([true, true])
    await expectWhole(bench)
    await expectGoesOn(bench)
  }
})

test('whoever is asked and fails, at once or later, has denied', async () => {
  const asks: AgentEnv['ask'][] = [
    () => Promise.reject(new Error('no terminal')),
    () => {
      throw new Error('no terminal')
    },
  ]
  for (const ask of asks) {
    await callOdd({ tools: [toolThat(async () => saying('ran'))], ask }, async (bench, reason) => {
      expect(reason).toBe('stop')
      const [result] = await results(bench)
      expect(result?.isError).toBe(true)
      expect(textOf(result!)).toContain('no terminal')
    })
  }
})

test('a tool that throws, at once or later, or gives back nonsense is an error the model reads', async () => {
  const runs: AnyTool['run'][] = [
    () => Promise.reject(new Error('it broke')),
    () => {
      throw new Error('it broke')
    },
    async () => 'it broke' as unknown as ToolOutput,
  ]
  for (const run of runs) {
    await callOdd({ tools: [toolThat(run)], settings: yolo }, async (bench, reason) => {
      expect(reason).toBe('stop')
      const [result] = await results(bench)
      expect(result?.isError).toBe(true)
      expect(textOf(result!)).toMatch(/it broke|no output/)
      expect(JSON.stringify(bench.server.requests[1]?.body)).toMatch(/it broke|no output/)
    })
  }
})

test('huge output is cut for the model and kept whole', async () => {
  const text = 'All work and no play makes Jack a dull boy.\n'.repeat(120_000)
  await callOdd({ tools: [toolThat(async () => saying(text))], settings: yolo }, async (bench, reason) => {
    expect(reason).toBe('stop')
    const [result] = await results(bench)
    expect(Buffer.byteLength(textOf(result!))).toBeLessThanOrEqual(MAX_MODEL_BYTES)
    expect(Buffer.byteLength(JSON.stringify(bench.server.requests[1]?.body))).toBeLessThan(2 * MAX_MODEL_BYTES)
    const { fullOutput } = result!.details as { readonly fullOutput: `blob:sha256:${string}` }
    expect(Buffer.from((await bench.session.readBlob(fullOutput)) ?? []).toString() === text).toBe(true)
  })
})

test('binary output, and text no JSON can hold, reach neither the model nor the log as they are', async () => {
  const outputs = [
    randomBytes(4_096).toString('latin1'),
    '\0'.repeat(100),
    'half \ud800 of \udfff it',
    '\u001b]52;c;Zm9v\u0007',
  ]
  for (const text of outputs) {
    await callOdd({ tools: [toolThat(async () => saying(text))], settings: yolo }, async (bench, reason) => {
      expect(reason).toBe('stop')
      const said = textOf((await results(bench))[0]!)
      expect(said.isWellFormed() && !said.includes('\0')).toBe(true)
    })
  }
})

test('the real bash: binary, endless and failing commands end as results, and the conversation goes on', async () => {
  using project = makeTempProject()
  const tools = [createBashTool(30_000)]
  for (const [command, expected] of [
    ['head -c 100000 /dev/urandom', 'binary output'],
    ['yes | head -c 3000000', 'left out'],
    ['echo so far; exit 3', 'exit code 3'],
  ]) {
    await using bench = await openWireBench({
      provider: 'anthropic',
      env: { tools, settings: yolo, cwd: project.root },
    })
    bench.server.reply([{ toolCalls: [{ id: 'call_a', name: 'bash', input: { command } }] }, { text: 'I see.' }])
    expect(endOf(await bench.take({ prompt: 'Go' }))).toBe('stop')
    expect(textOf((await results(bench))[0]!)).toContain(expected)
    await expectWhole(bench)
    await expectGoesOn(bench)
  }
})

test('a cancel ends a running command soon; its result says so', async () => {
  using project = makeTempProject()
  const env = { tools: [createBashTool(60_000)], settings: yolo, cwd: project.root }
  await using bench = await openWireBench({ provider: 'openai', env })
  const input = { command: 'echo started; exec sleep 60' }
  bench.server.reply({ toolCalls: ['call_a', 'call_b'].map((id) => ({ id, name: 'bash', input })) })
  const stop = new AbortController()
  const onEvent = ({ type }: { readonly type: string }) => type === 'tool_output' && stop.abort()
  const startedAt = performance.now()
  expect(endOf(await bench.take({ prompt: 'Go', signal: stop.signal, onEvent }))).toBe('cancelled')
  expect(performance.now() - startedAt).toBeLessThan(20_000)
  const texts = (await results(bench)).map(textOf)
  expect(texts[0]).toContain('started')
  expect(texts[1]).toContain('cancelled')
  await expectWhole(bench)
  await expectGoesOn(bench)
})

test.each(PROVIDERS)('%s: a cancel at every event of a turn with tools leaves a whole tree', async (provider) => {
  const env = { tools: [toolThat(async () => saying('ok'))], settings: yolo }
  let length = 1
  for (let cancelAt = 0; cancelAt < length; cancelAt++) {
    await using bench = await openWireBench({ provider, env })
    const toolCalls = ['call_a', 'call_b'].map((id) => ({ id, name: 'odd', input: {} }))
    let asked = 0
    bench.server.reply(() => (asked++ === 0 ? { text: 'First.', toolCalls } : { text: 'Done.' }))
    const events = await bench.take({ prompt: 'Go', cancelAt })
    length = Math.max(length, events.length)
    const isLate = cancelAt >= 1 && events.filter(({ type }) => type === 'finished').length === 2
    if (!isLate) expect(endOf(events)).toBe('cancelled')
    await expectWhole(bench)
    await expectGoesOn(bench)
  }
  expect(length).toBeGreaterThan(10)
})
