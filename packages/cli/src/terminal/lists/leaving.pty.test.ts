import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ModelReply, startModelServer } from '@treeline/agent/testing'
import { expect, onTestFinished, test } from 'vitest'
import { isIdle, say } from '../../testing/chat-terminal.ts'
import { readLog, seededChat } from './testing/seeded-chat.ts'

/** A chat at a3 whose model gives this one answer, with the tree open at the end of the other branch. */
async function aboutToLeave(reply: ModelReply, settings?: object) {
  const server = await startModelServer()
  onTestFinished(() => server.close())
  server.reply(() => reply)
  const made = await seededChat({ OPENAI_API_KEY: 'sk-test-0123456789', OPENAI_BASE_URL: `${server.url}/v1` })
  mkdirSync(made.home, { recursive: true })
  if (settings !== undefined) writeFileSync(join(made.home, 'settings.json'), JSON.stringify(settings))
  const terminal = await made.open(['-c', '--model', 'openai/gpt-6-luna'])
  await say(terminal, '/tree')
  await terminal.waitFor(/\(leaf\) Take a hat$/m)
  await terminal.press('end')
  await terminal.waitFor(/^› +○ assistant +Take a coat$/m)
  await terminal.press('enter')
  return { ...made, server, terminal }
}

test('M8, M15 the branch that is left is summed up, as the user asks for it', async () => {
  const { terminal, server, home } = await aboutToLeave({ text: 'Hats were tried.' })
  await terminal.waitFor('summary with instructions')
  await terminal.press('i')
  await terminal.waitFor('What should the summary see to?')
  await terminal.type('only the hats')
  await terminal.press('enter')
  await terminal.waitFor('What was tried there is summed up above.')
  await terminal.waitFor(isIdle)
  const { leafId, last } = await readLog(home)
  expect(last('branch_summary')).toMatchObject({
    id: leafId,
    parentId: 'a2',
    summary: 'Hats were tried.',
    details: { summarizedFrom: ['u3', 'a3'] },
  })
  expect(JSON.stringify(server.requests[0]?.body)).toContain('only the hats')
  expect(terminal.screen().join('\n')).toContain('Hats were tried.')
})

test('while it is summed up Esc cancels: the leaf stays, and that is told', async () => {
  const { terminal, server, home } = await aboutToLeave({ fault: { type: 'silent' } })
  await terminal.waitFor('s summary')
  await terminal.press('s')
  await terminal.waitFor(/summing up the branch.*Esc cancels/)
  await server.request(0)
  await terminal.press('esc')
  await terminal.waitFor('The summary was cancelled. You are where you were.')
  await terminal.waitFor(isIdle)
  const { nodeId, last } = await readLog(home)
  expect([nodeId, last('branch_summary')]).toEqual(['a3', undefined])
})

test('a summary that fails is told of, and the leaf stays', async () => {
  const { terminal, home } = await aboutToLeave({ fault: { type: 'unauthorized' } })
  await terminal.waitFor('s summary')
  await terminal.press('s')
  await terminal.waitFor(/api key|unauthorized|401/i)
  await terminal.waitFor(isIdle)
  expect((await readLog(home)).nodeId).toBe('a3')
})

test('the setting branchSummary.skipPrompt leaves without a question', async () => {
  const { terminal, home, server } = await aboutToLeave({}, { branchSummary: { skipPrompt: true } })
  await terminal.waitFor('On another branch now.')
  await terminal.waitFor(isIdle)
  expect((await readLog(home)).leafId).toBe('a2')
  expect(server.requests).toEqual([])
})
