import type { EntryDraft } from '@treeline/core'
import { openMemoryStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { PromptBrowser } from './prompt-browser.ts'
import { listPrompts, readPreviews } from './prompts-to-branch.ts'

function says(role: 'user' | 'assistant', text: string): EntryDraft {
  const content = role === 'user' ? text : [{ type: 'text', text }]
  return { type: 'message', message: { role, content, timestamp: 1 } }
}

async function branched() {
  const session = await (await openMemoryStore()).create({ cwd: '/project' })
  const [one, answer] = await session.appendAll([says('user', 'one'), says('assistant', 'fine')])
  const left = await session.append(says('user', 'left'))
  await session.branch(answer!.id)
  const right = await session.append(says('user', `right \u001b]52;c;eA==\u0007${'é'.repeat(100)}`))
  return { session, one: one!.id, left: left.id, right: right.id }
}

test('lists what was said, newest first, of the trunk or of all branches', async () => {
  const { session, one, left, right } = await branched()
  expect(listPrompts(session, 'trunk').map(({ nodeId }) => nodeId)).toEqual([right, one])
  expect(listPrompts(session, 'all').map(({ nodeId }) => nodeId)).toEqual([right, left, one])
  expect(listPrompts(session, 'all')[0]!.timeMs).toBeGreaterThan(0)
})

test('K4 previews are one plain line of 80 graphemes', async () => {
  const { session, right, left } = await branched()
  expect(await readPreviews(session, [right, left])).toEqual([`right ${'é'.repeat(73)}…`, 'left'])
})

test('Tab keeps the cursor on its message, and only what is in sight is read', async () => {
  const { session, one, left } = await branched()
  const browser = new PromptBrowser(session, 2)
  browser.move('down')
  expect(browser.chosen).toBe(one)
  browser.toggleScope()
  expect(browser.chosen).toBe(one)
  expect(await browser.readInSight()).toBe(true)
  expect([browser.textOf(left), browser.textOf(one)]).toEqual(['left', 'one'])
  expect(await browser.readInSight()).toBe(false)
})

test('an empty session has nothing to pick', async () => {
  const session = await (await openMemoryStore()).create({ cwd: '/project' })
  const browser = new PromptBrowser(session, 2)
  browser.move('down')
  browser.toggleScope()
  expect(browser.chosen).toBeUndefined()
})
