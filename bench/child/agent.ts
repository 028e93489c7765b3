// Treeline's agent: a turn over a real store, with everything that is written down on the way.
import { createEnv } from '../../packages/agent/src/create-env.ts'
import { runTurn } from '../../packages/agent/src/turn/turn.ts'
import { openFileStore, type Session } from '../../packages/store/src/index.ts'
import { createDeltaModel, hashOf, MODEL_ID, PROMPT } from '../inputs/deltas.ts'
import { startDeltaServer } from './delta-server.ts'
import { type Action, type Job, prepared } from './job.ts'
import { runChild } from './run-child.ts'

const REF = `bench/${MODEL_ID}`

/** A turn in a new session: prompt, announcement, answer, each synced. Facts: deltas, text as told and as in the log. */
const turn: Action = async (job) => {
  const { home, stream } = job
  const store = await openFileStore({ home })
  const { env } = await makeEnv(job)
  // Opened once and kept by the catalogue.
  await env.models.open(REF)
  const listen = async (session: Session) => {
    let text = ''
    let deltas = 0
    for await (const event of runTurn(env, session, { prompt: PROMPT, model: REF })) {
      if (event.type !== 'delta') continue
      text += event.text
      deltas++
    }
    return { text, deltas }
  }
  for (let i = 0; i < stream!.earlier; i++) await listen(await store.create({ cwd: home }))
  const session = await store.create({ cwd: home })
  return prepared(
    () => listen(session),
    async ({ text, deltas }) => {
      await store.close()
      return { deltas, text: hashOf(text), logged: hashOf(await readAnswer(home, session.id)) }
    },
  )
}

function makeEnv({ home, stream }: Job) {
  return stream!.from === 'memory' ? memoryEnv(home, stream!.count) : wireEnv(home, stream!.count)
}

function memoryEnv(home: string, count: number) {
  const info = { contextWindow: 200_000, maxOutput: 32_000, thinking: ['off'], images: false } as const
  const model = { ref: REF, provider: 'bench', id: MODEL_ID, api: 'bench', info, language: createDeltaModel(count) }
  const models = { open: () => Promise.resolve(model), defaultRef: () => Promise.resolve(REF) }
  return createEnv({ home, cwd: home, env: {}, models })
}

async function wireEnv(home: string, count: number) {
  const baseUrl = await startDeltaServer(count)
  return createEnv({ home, cwd: home, env: {}, flags: { providers: { bench: { baseUrl } } } })
}

/** From the file, by a store that has not seen it. */
async function readAnswer(home: string, id: string): Promise<string> {
  await using store = await openFileStore({ home })
  await using session = await store.open(id)
  const { messages } = await session.context()
  const { content } = messages.at(-1) as { readonly content: readonly { readonly text?: string }[] }
  return content.map(({ text = '' }) => text).join('')
}

await runChild({ turn })
