// A whole agent: `npx node packages/agent/examples/agent.ts "list the files"`. It keeps its session where `treeline` does,
// in `$TREELINE_HOME` or `~/.treeline`, and asks the model that is set up there: without any, the demo, which needs no key.
import { createInterface } from 'node:readline'
import { plainText } from '@treeline/core'
import { openFileStore } from '@treeline/store'
import { type AskApproval, createAgent } from '../src/index.ts'

const prompt = process.argv.slice(2).join(' ') || 'list the files'
const show = (text: string) => process.stdout.write(plainText(text))
using terminal = createInterface({ input: process.stdin })
const typed = terminal[Symbol.asyncIterator]()

const ask: AskApproval = async ({ preview: { title, body = '' } }) => {
  show(`\n\n${title}\n${body}\nMay it? y(es), a(lways, in this session), n(o): `)
  // Where nobody types, the answer is no.
  const { value = 'n' } = await typed.next()
  if (/^y/i.test(value)) return { decision: 'once' }
  return /^a/i.test(value) ? { decision: 'tool' } : { decision: 'deny', reason: 'The user said no.' }
}

await using store = await openFileStore()
await using session = await store.create({ cwd: process.cwd() })
await using agent = await createAgent({ ask })
for await (const event of agent.run(session, prompt)) {
  if (event.type === 'delta' && event.kind === 'text') show(event.text)
  if (event.type === 'tool_done') show(`\n[${event.name} ${event.isError ? 'failed' : 'is done'}]\n`)
  if (event.type === 'failed' || event.type === 'notice') show(`\n${event.message}\n`)
}
await agent.idle()
show(`\n\n“${session.name ?? prompt}” is kept in ${session.path}\n`)
