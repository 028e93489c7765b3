// Run by the kill tests as a process of its own: does as it is told in one line on stdin, and says on stdout every event it
// is told of. Written at once, so that nothing said is lost by a kill.
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { openFileStore } from '@treeline/store'
import { generate } from '../generate/generate.ts'
import { recover } from '../recovery/recover.ts'
import { takeTurn } from '../turn/turn.ts'
import type { TurnOrder } from './order.ts'
import { tortureEnv } from './torture-env.ts'

function say(what: object): void {
  writeSync(1, `${JSON.stringify(what)}\n`)
}

async function carryOut(order: TurnOrder): Promise<void> {
  const env = tortureEnv(order)
  await using store = await openFileStore({ home: order.home })
  await using session = await store.open(order.sessionId)
  switch (order.what) {
    case 'recover':
      // Both are here before either begins.
      say({ type: 'opened' })
      await new Promise((resolve) => process.stdin.once('end', resolve))
      await recover(env, session)
      return
    case 'siblings': {
      const { done } = await generate(env, session, { parentId: session.leafId, specs: [{}, {}, {}] })
      await done
      return
    }
    case 'recover and turns':
      await recover(env, session)
      break
    case 'turns':
  }
  for (const prompt of order.prompts) await takeTurn(env, session, { prompt }, say)
}

say({ type: 'ready' })
const lines = createInterface({ input: process.stdin })
for await (const line of lines) {
  if (line === '') break
  try {
    await carryOut(JSON.parse(line) as TurnOrder)
  } catch (error) {
    say({ type: 'problem', message: error instanceof Error ? String(error.stack) : String(error) })
  }
  say({ type: 'done' })
}
