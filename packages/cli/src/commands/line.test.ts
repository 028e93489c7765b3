import { openFileStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { runTreeline } from '../testing/run-treeline.ts'
import { sampleHome } from '../testing/sample-home.ts'
import { chain, entry, writeLog } from '../testing/write-log.ts'

async function mutedSample() {
  const sample = await sampleHome()
  await using store = await openFileStore({ home: sample.home })
  await using session = await store.open(sample.sessionId)
  await session.edit({ operations: [{ op: 'mute', nodeIds: ['rep00001'] }] })
  return sample
}

test('what the model would get, and of each node of the trunk why', async () => {
  const { home, cwd, path } = await mutedSample()
  const { code, stdout } = await runTreeline(['line', path], { home, cwd })
  expect(code).toBe(0)
  expect(stdout).toMatch(/1 {2}user +11 {2}Where does the parser stop\? Why the first\?/)
  expect(stdout).toMatch(/in {3}ask00001 {2}user/)
  expect(stdout).toMatch(/out {2}rep00001 {2}assistant {2}muted {2}At the first bad line\./)
  expect(stdout).toMatch(/2 messages, about 19 tokens \(an estimate\), for demo\/demo\n3 nodes in, 1 out: 1 muted/)
  const full = await callTreeline(['line', path, '--full'], { home, cwd })
  expect(full.stdout).toMatch(/^user\n {2}Where does the parser stop\?\n {2}Why the first\?\n\nassistant\n/)
})

test('the document has the messages, the nodes with in and reason, and the tokens', async () => {
  const { home, cwd, path, sessionId } = await mutedSample()
  const line = (await callTreeline(['line', path, '--json'], { home, cwd })).json()
  expect(Object.keys(line)).toEqual(['sessionId', 'leafId', 'messages', 'nodes', 'tokens'])
  expect(line).toMatchObject({ sessionId, leafId: 'rep00003', tokens: 19 })
  expect(line.nodes).toEqual([
    { id: 'ask00001', in: true, reason: null },
    { id: 'rep00001', in: false, reason: 'muted' },
    { id: 'ask00003', in: true, reason: null },
    { id: 'rep00003', in: true, reason: null },
  ])
  expect(line.messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant'])
})

test('--leaf reads from another node, or from none; an unknown one is an error', async () => {
  const { home, cwd, path } = await sampleHome()
  const at = async (leaf: string) => callTreeline(['line', path, '--json', '--leaf', leaf], { home, cwd })
  expect((await at('rep00002')).json()).toMatchObject({ leafId: 'rep00002', messages: { length: 4 } })
  for (const none of ['null', 'root']) {
    expect((await at(none)).json()).toMatchObject({ leafId: null, messages: [], nodes: [], tokens: 0 })
  }
  const unknown = await at('rep0000x')
  expect(unknown).toMatchObject({ code: 3, stdout: '' })
  expect(JSON.parse(unknown.stderr).error.code).toBe('node_not_found')
  const empty = await callTreeline(['line', path, '--leaf', 'root'], { home, cwd })
  expect(empty.stdout).toMatch(/nothing to send yet/)
})

test('a repaired node says what was done to it, and images are in place', async () => {
  const { home, cwd, sessionId, path } = await sampleHome()
  const data = Buffer.alloc(3_000, 9).toString('base64')
  {
    await using store = await openFileStore({ home })
    await using session = await store.open(sessionId)
    const image = { type: 'image', data, mimeType: 'image/png' }
    await session.append({ type: 'message', message: { role: 'user', content: [image], timestamp: 1 } })
    const call = { type: 'toolCall', id: 'c', name: 'ls', arguments: {} }
    await session.append({
      type: 'message',
      id: 'calls',
      message: { role: 'assistant', content: [call], timestamp: 1 },
    })
  }
  const { messages, nodes } = (await callTreeline(['line', path, '--json'], { home, cwd })).json()
  expect(nodes.at(-1)).toEqual({ id: 'calls', in: true, reason: 'repaired', repairs: ['result_missing'] })
  expect(messages.at(-3).content).toEqual([{ type: 'image', data, mimeType: 'image/png' }])
  expect((await callTreeline(['line', path], { home, cwd })).stdout).toMatch(/in +calls +assistant +result supplied/)
})

test('of a long line the end is shown', async () => {
  const { stdout } = await callTreeline([
    'line',
    writeLog([...chain(400), entry('x', 'n399', { role: 'user', content: '' })]),
    '--limit',
    '2',
  ])
  expect(stdout).toMatch(/^398 earlier messages not shown: --limit 0 shows all\./)
  expect(stdout).toMatch(/399 earlier nodes not shown/)
  expect(stdout).toMatch(/out {2}x +user +says nothing/)
})

test('S31 a text too long for the log is whole in the line, in the context and in show', async () => {
  const { home, cwd, sessionId, id } = await sampleHome()
  const text = `${'long '.repeat(110_000)}end`
  {
    await using store = await openFileStore({ home })
    await using session = await store.open(sessionId)
    await session.append({ type: 'message', id: 'long', message: { role: 'user', content: text, timestamp: 1 } })
    expect(((await session.readEntry('long'))!.message as { content: string }).content.length).toBeLessThan(text.length)
  }
  const at = { home, cwd }
  const line = (await callTreeline(['line', id, '--json'], at)).json()
  expect(line.messages.at(-1).content[0].text).toHaveLength(text.length)
  const context = (await callTreeline(['context', id, '--json'], at)).json()
  expect(context.messages.at(-1).content).toHaveLength(text.length)
  const { node } = (await callTreeline(['show', id, 'long', '--json'], at)).json()
  expect(node.entry.message.content).toHaveLength(text.length)
})
