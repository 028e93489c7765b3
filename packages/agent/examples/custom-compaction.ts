// A compaction policy of one's own, undone again: `npx node packages/agent/examples/custom-compaction.ts`. It talks to the
// demo model, in `$TREELINE_HOME` if that is set, else in a temporary folder that is gone at the end.
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LineMessage, preview } from '@treeline/core'
import { openFileStore } from '@treeline/store'
import { type CompactionPolicy, createAgent } from '../src/index.ts'

/** Keeps the last turns as they are, however long; the summary stands for what was before. */
const keepTurns = (count: number): CompactionPolicy => ({
  name: `last-${count}-turns`,
  shouldCompact: ({ tokens, model }) => tokens > model.contextWindow * 0.8,
  findCut: (items) => items.flatMap((item, index) => (item.startsTurn ? [index] : [])).at(-count) ?? 0,
})

function show(title: string, messages: readonly LineMessage[]): void {
  console.log(`\n${title}`)
  for (const { role, content } of messages) {
    const [first] = content
    console.log(`  ${role.padEnd(10)} ${preview(first?.type === 'text' ? first.text : '')}`)
  }
}

using folder = process.env.TREELINE_HOME ? undefined : mkdtempDisposableSync(join(tmpdir(), 'treeline-'))
const home = folder?.path ?? process.env.TREELINE_HOME
await using store = await openFileStore({ home })
await using session = await store.create({ cwd: process.cwd() })
const flags = { model: 'demo/demo', autoTitle: false }
await using agent = await createAgent({ home, flags, policy: keepTurns(2), env: { TREELINE_DEMO_DELAY_MS: '0' } })

for (const said of ['Which cache policy?', 'say 2000 words', 'say 20 words', 'Thank you.']) {
  for await (const event of agent.run(session, said)) {
    if (event.type === 'failed') throw new Error(event.message)
  }
}
const before = await session.line()
show('The line, as the model would get it:', before.messages)

const report = await agent.compact(session, { instructions: 'Keep every decision.' })
if (report === undefined) throw new Error('There was nothing to compact.')
const { policy, coveredIds, keptIds, tokensBefore, tokensAfter } = report
show('After the compaction:', (await session.line()).messages)
console.log(`\n${policy}: ${coveredIds.length} nodes covered, ${keptIds.length} kept`)
console.log(`about ${tokensBefore} tokens before, ${tokensAfter} now`)

await agent.undoCompaction(session, report.nodeId)
const after = await session.line()
const isSame = JSON.stringify(after.messages) === JSON.stringify(before.messages)
console.log(`\nUndone: the line is ${isSame ? 'what it was, byte for byte' : 'another'}.`)
