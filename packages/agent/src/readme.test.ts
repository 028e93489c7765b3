import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createOpenAICompatible as createProvider } from '@ai-sdk/openai-compatible'
import { openMemoryStore, type Session } from '@treeline/store'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createAgent as create } from './agent.ts'
import type { AgentOptions } from './create-env.ts'
import { type ModelCatalogue, providerNames, type Tool, type TurnEvent } from './index.ts'
import { knownKeysAt } from './settings/schema.ts'
import { startModelServer } from './testing/index.ts'
import { makeTempProject, type TempProject } from './testing/temp-project.ts'
import { builtinTools } from './tools/builtin-tools.ts'

const folder = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(folder, path), 'utf8')
const readme = read('README.md')

/** As a reader would call it, in a home of its own and with the demo. */
function creatorIn({ home, root }: TempProject) {
  const own = { home: home.paths.home, cwd: root, env: { TREELINE_DEMO_DELAY_MS: '0', TREELINE_MODEL: 'demo/demo' } }
  return (options: AgentOptions = {}) => create({ ...own, flags: { autoTitle: false }, ...options })
}

async function drain(events: AsyncIterable<TurnEvent>): Promise<TurnEvent[]> {
  const all: TurnEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

async function textsOf(session: Session): Promise<string> {
  return JSON.stringify((await session.line()).messages.map(({ content }) => content))
}

describe('what the README shows', () => {
  test('stands word for word in a test or an example', () => {
    const files = ['src/readme.test.ts', 'examples/agent.ts', 'examples/custom-compaction.ts']
    const code = files.map((path) => squash(read(path)))
    const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => squash(block!))
    expect(blocks).toHaveLength(6)
    for (const block of blocks) expect(code.filter((one) => one.includes(block))).toHaveLength(1)
  })

  test('recovers, previews, runs, generates, compacts, runs a command, merges and leaves a branch', async () => {
    using temp = makeTempProject()
    await using store = await openMemoryStore()
    await using session = await store.create({ cwd: temp.root })
    await using agent = await creatorIn(temp)()
    await drain(agent.run(session, 'Which cache?'))
    const shown: TurnEvent[] = []
    const show = (event: TurnEvent) => shown.push(event)

    const { closed, calls } = await agent.recover(session) // after a crash; tools run again only if you say which
    const { line, size, cost } = await agent.preview(session) // what would be sent, why, how much, and its price

    const stop = new AbortController() // a cancel keeps the text so far
    for await (const event of agent.run(session, 'say 20 words', { signal: stop.signal, thinking: 'low' })) show(event)

    const parentId = session.leafId // two more answers beside the one there is
    const { nodeIds, done } = await agent.generate(session, { parentId, specs: [{}, { model: 'demo/demo' }] })
    await done // the conversation has stayed where it was

    const report = await agent.compact(session, { instructions: 'Keep the names of files.' })
    if (report) await agent.undoCompaction(session, report.nodeId) // or step before it, or agent.rerunCompaction

    await agent.shell(session, { command: 'date', isExcluded: true }) // `!!date`: in the tree, never sent
    const merged = await agent.merge(session, { sourceIds: nodeIds, how: 'concat' })
    await agent.leaveBranch(session, { toId: parentId, summarise: true }) // notes on what was tried are left there

    expect([closed, calls]).toEqual([[], []])
    expect(line.messages[0]?.role).toBe('system')
    expect([size.tokens > 1_000, cost]).toEqual([true, 0])
    expect(shown.at(-1)).toEqual({ type: 'ended', reason: 'stop', leafId: parentId })
    expect(await session.readEntries(nodeIds)).toMatchObject([{ message: { stopReason: 'stop' } }, { type: 'message' }])
    expect(report?.coveredIds).toHaveLength(2)
    expect(await session.readEntry(merged.nodeId)).toMatchObject({ details: { mergedFrom: nodeIds } })
    const leaf = await session.readEntry(session.leafId!)
    expect(leaf).toMatchObject({ type: 'branch_summary', fromId: parentId })
  })

  test('hooks stop a turn, give a summary and are told', async () => {
    using temp = makeTempProject()
    await using store = await openMemoryStore()
    await using session = await store.create({ cwd: temp.root })
    const createAgent = creatorIn(temp)
    const told: unknown[] = []
    const log = (...words: readonly unknown[]) => void told.push(words)

    const agent = await createAgent({
      hooks: {
        beforeTurn: (_session, { prompt }) =>
          prompt === 'secret' ? { action: 'cancel', reason: 'not here' } : undefined,
        beforeCompaction: (_session, { coveredIds }) => ({
          action: 'replace',
          value: { summary: `${coveredIds.length} messages about caches.` },
        }),
        afterTurn: (_session, { reason, leafId }) => log(reason, leafId),
      },
    })

    expect((await drain(agent.run(session, 'secret'))).at(-1)).toMatchObject({ type: 'ended', reason: 'cancelled' })
    for (const said of ['one', 'two']) await drain(agent.run(session, said))
    expect(told).toEqual([
      ['stop', expect.any(String)],
      ['stop', session.leafId],
    ])
    expect(await agent.compact(session)).toMatchObject({ summary: '2 messages about caches.' })
    await agent.close()
  })

  test('a tool of one’s own runs unasked beside ours when it only reads', async () => {
    using temp = makeTempProject()
    await using store = await openMemoryStore()
    await using session = await store.create({ cwd: temp.root })
    const createAgent = creatorIn(temp)

    const forecast: Tool<{ city: string }> = {
      name: 'forecast',
      description: 'The weather of tomorrow.',
      input: z.object({ city: z.string() }),
      effect: 'read', // runs unasked; `edit` and `run` are asked about, as the approval mode says
      isRepeatable: true, // may run again after a crash, when recovery is told to
      preview: ({ city }) => ({ title: `forecast ${city}` }),
      run: async ({ city }, { signal }) => {
        signal.throwIfAborted()
        return { content: [{ type: 'text', text: `Rain in ${city}.` }] }
      },
    }
    const agent = await createAgent({ tools: [...builtinTools({ bashTimeoutMs: 60_000 }), forecast] })

    await drain(agent.run(session, 'use the tool forecast with {"city":"Ulm"}'))
    expect(await textsOf(session)).toContain('Rain in Ulm.')
    await drain(agent.run(session, 'list the files'))
    expect(await textsOf(session)).toContain('"name":"ls"')
    await agent.close()
  })

  test('a model of one’s own answers', async () => {
    using temp = makeTempProject()
    const server = await startModelServer()
    await using store = await openMemoryStore()
    await using session = await store.create({ cwd: temp.root })
    const createAgent = creatorIn(temp)
    server.reply({ text: 'I am local.' })
    const fetchHere: typeof fetch = (url, init) => fetch(String(url).replace('http://127.0.0.1:8000', server.url), init)
    const createOpenAICompatible = (options: Parameters<typeof createProvider>[0]) =>
      createProvider({ ...options, fetch: fetchHere })

    const vllm = createOpenAICompatible({ name: 'vllm', baseURL: 'http://127.0.0.1:8000/v1' })
    const info = { contextWindow: 32_768, maxOutput: 4_096, thinking: ['off'], images: false } as const
    const models: ModelCatalogue = {
      defaultRef: async () => 'vllm/qwen',
      open: async (ref) => ({
        ref,
        provider: 'vllm',
        id: 'qwen',
        api: 'openai-completions',
        info,
        language: vllm('qwen'),
      }),
    }
    const agent = await createAgent({ models })

    await drain(agent.run(session, 'Who are you?', { model: 'vllm/qwen' }))
    expect(await textsOf(session)).toContain('I am local.')
    expect(server.requests[0]?.body).toMatchObject({ model: 'qwen' })
    await Promise.all([agent.close(), server.close()])
  })
})

describe('the README names', () => {
  const names = (source: string, pattern: RegExp) => [...read(source).matchAll(pattern)].map(([, name]) => name!)

  test.each([
    ['every event', () => names('src/turn/events.ts', /readonly type: '(\w+)'/g)],
    ['every hook', () => names('src/hooks.ts', /readonly ((?:before|after)\w+)\?/g)],
    ['every setting', () => knownKeysAt([])],
    ['every tool of ours', () => builtinTools({ bashTimeoutMs: 1 }).map(({ name }) => name)],
    ['every provider', () => providerNames({ providers: {} }).filter((name) => name !== 'demo')],
  ])('%s', (_, list) => {
    expect(list().length).toBeGreaterThan(3)
    expect(list().filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
  })

  test('every folder', () => {
    const folders = readdirSync(join(folder, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(folders.filter(({ name }) => !readme.includes(`\`${name}/\``))).toEqual([])
  })
})

test('every test that SPEC.md points to is there', () => {
  const cited = [...read('SPEC.md').matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, path]) => path!)
  expect(cited.length).toBeGreaterThan(20)
  expect(cited.filter((path) => !existsSync(join(folder, 'src', path)))).toEqual([])
})

/** White space, imports and the commas that a formatter adds say nothing. */
function squash(code: string): string {
  return code
    .replace(/^import [^\n]*$/gm, '')
    .replace(/\s+/g, '')
    .replace(/,(?=[)}\]])/g, '')
}
