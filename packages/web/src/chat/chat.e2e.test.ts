import { type ChatHistoryTree, routes } from '@treeline/protocol'
import { expect } from 'vitest'
import { startSite, webTest } from '../testing/browser.ts'
import { box, isAnswered, messageWith, press, say, send, texts } from '../testing/chat-page.ts'
import { message, said, seed, TWO_BRANCHES } from '../testing/seed.ts'

const site = startSite()

async function treeOf(sessionId: string): Promise<ChatHistoryTree> {
  return (await site.call(routes.getTree, { params: { sessionId } })) as ChatHistoryTree
}

async function newChat(title = 'New'): Promise<string> {
  return (await site.call(routes.createSession, { body: { title } })).sessionId
}

webTest('a question is answered word by word, and what the page shows is what the server keeps', async () => {
  const id = await newChat()
  const { page } = await site.open(`/s/${id}`)
  await say(page, 'Hello there')
  await page.getByRole('button', { name: 'Stop' }).first().waitFor()
  await isAnswered(page)
  const answer = messageWith(page, 'You said: “Hello there”')
  await answer.getByText('set a key with').waitFor()
  const { nodes, rootNodeIds, activeLeafId } = await treeOf(id)
  expect(nodes[rootNodeIds[0]!]).toMatchObject({ role: 'user', status: 'complete', content: 'Hello there' })
  expect(nodes[activeLeafId!]).toMatchObject({ role: 'assistant', status: 'complete', parentId: rootNodeIds[0] })
})

webTest('reloaded in the middle of an answer it shows what had come and goes on to the end', async () => {
  const id = await newChat()
  const { page } = await site.open(`/s/${id}`)
  await say(page, 'say 500 words')
  const answer = page.getByRole('article').nth(1)
  const length = async (): Promise<number> => (await answer.textContent())!.length
  await expect.poll(length, { timeout: 10_000 }).toBeGreaterThan(300)
  await box(page).fill('A draft that is not sent')
  const before = await length()
  await page.reload()
  await answer.getByText('every conversation is a tree').waitFor()
  expect(await length()).toBeGreaterThanOrEqual(before)
  await page.getByRole('button', { name: 'Stop' }).first().waitFor()
  expect(await box(page).inputValue()).toBe('A draft that is not sent')
  await isAnswered(page)
  const kept = Object.values((await treeOf(id)).nodes).find(({ role }) => role === 'assistant')!
  expect(kept.content.split(' ').length).toBeGreaterThan(500)
  expect((await answer.textContent())!.replace(/\s+/g, ' ')).toContain(kept.content.replace(/\s+/g, ' '))
})

webTest('what was said differently stands beside the old version, and one goes between them', async () => {
  const id = await seed(site.call, TWO_BRANCHES)
  const { page } = await site.open(`/s/${id}`)
  const asked = messageWith(page, 'Explain LFU.')
  await asked.getByRole('group', { name: 'Version 2 of 2' }).waitFor()
  await asked.getByRole('button', { name: /Version before/ }).click()
  await messageWith(page, 'longest ago').waitFor()
  expect(await texts(page)).toHaveLength(4)

  await press(messageWith(page, 'Explain LRU.'), 'Say it differently')
  const editor = page.getByRole('textbox', { name: 'Say it differently' })
  expect(await editor.inputValue()).toBe('Explain LRU.')
  await editor.fill('Explain FIFO.')
  await editor.press('Enter')
  await messageWith(page, 'Explain FIFO.').first().getByRole('group', { name: 'Version 3 of 3' }).waitFor()
  await isAnswered(page)
  const { nodes } = await treeOf(id)
  expect(nodes.left!.content).toBe('Explain LRU.')
  expect(nodes.reply!.childrenIds).toHaveLength(3)
})

webTest('an answer once more is a sibling, and several can be asked for at once', async () => {
  const id = await seed(site.call, TWO_BRANCHES)
  const { page } = await site.open(`/s/${id}`)
  await press(messageWith(page, 'least often'), 'Answer once more')
  await page.getByRole('group', { name: 'Version 2 of 2' }).nth(1).waitFor()
  await isAnswered(page)

  await page.getByRole('button', { name: /demo/ }).click()
  await page.getByRole('spinbutton', { name: 'How often each' }).fill('3')
  await page.keyboard.press('Escape')
  await box(page).fill('Three times, please')
  await page.getByRole('button', { name: 'Ask 3×' }).click()
  await page.getByRole('group', { name: 'Version 1 of 3' }).waitFor()
  await isAnswered(page)
  const { nodes } = await treeOf(id)
  const asked = Object.values(nodes).find(({ content }) => content === 'Three times, please')!
  expect(asked.childrenIds).toHaveLength(3)
})

webTest('one goes on from any message, and back', async () => {
  const id = await seed(site.call, TWO_BRANCHES)
  const { page } = await site.open(`/s/${id}`)
  await press(messageWith(page, 'It depends on'), 'Go on from here')
  await page.getByText('2 branches go on from here.').waitFor()
  expect(await texts(page)).toHaveLength(2)
  await page.getByRole('button', { name: 'Back' }).click()
  await messageWith(page, 'least often').waitFor()

  await press(messageWith(page, 'It depends on'), 'Go on from here')
  await say(page, 'A third way')
  await isAnswered(page)
  expect((await treeOf(id)).nodes.reply!.childrenIds).toHaveLength(3)
  expect(await texts(page)).toHaveLength(4)
})

webTest('T14 a muted message is out of the chat and out of the line, and comes back', async () => {
  const id = await seed(site.call, TWO_BRANCHES)
  const { page } = await site.open(`/s/${id}`)
  await press(messageWith(page, 'It depends on'), /^Mute/)
  const mark = page.getByRole('button', { name: '1 hidden' })
  await mark.waitFor()
  await expect.poll(async () => (await treeOf(id)).nodes.reply!.isEnabled).toBe(false)
  await mark.click()
  await messageWith(page, 'It depends on').getByText('muted').waitFor()
  await page.getByRole('button', { name: 'Unmute', exact: true }).click()
  await expect.poll(async () => (await treeOf(id)).nodes.reply!.isEnabled).toBe(true)
  await mark.waitFor({ state: 'detached' })
})

webTest('an answer that is stopped keeps what had come, and can be asked for again', async () => {
  const id = await newChat()
  const { page } = await site.open(`/s/${id}`)
  await say(page, 'say 4000 words')
  await page.getByText('every conversation is a tree').waitFor()
  await page.getByRole('button', { name: 'Stop' }).last().click()
  await page.getByText('You stopped it here.').waitFor()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  const kept = Object.values((await treeOf(id)).nodes).find(({ role }) => role === 'assistant')!
  expect(kept.content).toContain('every conversation is a tree')
  expect(kept.content.split(' ').length).toBeLessThan(4_000)

  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('group', { name: 'Version 2 of 2' }).waitFor()
  await page.getByRole('button', { name: 'Stop' }).last().click()
  await page.getByText('You stopped it here.').waitFor()
  expect((await treeOf(id)).nodes[kept.parentId!]!.childrenIds).toHaveLength(2)
})

webTest('what is said while an answer is written is sent when it is done', async () => {
  const id = await newChat()
  const { page } = await site.open(`/s/${id}`)
  await say(page, 'say 300 words')
  await page.getByText('every conversation is a tree').waitFor()
  await send(page, 'And then this')
  await page.getByText('Sent when the answer above is done.').waitFor()
  await messageWith(page, 'You said: “And then this”').waitFor()
  await isAnswered(page)
  expect((await texts(page)).map((text) => text.split('\n')[0])).toEqual(['You', 'demo/demo', 'You', 'demo/demo'])
})

webTest('T36 a linear chat is a plain one: no branches, nothing muted, and nothing changed underneath', async () => {
  const id = await seed(site.call, TWO_BRANCHES, { muted: ['reply'] })
  const before = await treeOf(id)
  await site.call(routes.patchSession, { params: { sessionId: id }, body: { mode: 'linear' } })
  const { page } = await site.open(`/s/${id}`)
  await messageWith(page, 'It depends on').waitFor()
  expect(await page.getByRole('group', { name: /^Version/ }).count()).toBe(0)
  for (const name of ['Say it differently', 'Go on from here', /^Mute/])
    expect(await page.getByRole('button', { name }).count()).toBe(0)
  await site.call(routes.patchSession, { params: { sessionId: id }, body: { mode: 'tree' } })
  await page.getByRole('button', { name: '1 hidden' }).waitFor()
  expect(Object.keys((await treeOf(id)).nodes)).toEqual(Object.keys(before.nodes))
  expect((await treeOf(id)).nodes.reply!.isEnabled).toBe(false)
})

webTest('every command of a message has a key', async () => {
  const id = await seed(site.call, [...TWO_BRANCHES, said('more', 'right-reply', 'user', 'And now?')])
  const { page } = await site.open(`/s/${id}`)
  const first = messageWith(page, 'Which cache')
  await first.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('m')
  await page.getByRole('button', { name: '1 hidden' }).waitFor()
  await messageWith(page, 'Explain LFU.').focus()
  await page.keyboard.press('[')
  await messageWith(page, 'longest ago').waitFor()
})

webTest('the box says who answers here: the model of the conversation, and whether it can be asked', async () => {
  const answer = { role: 'assistant', provider: 'anthropic', model: 'claude-sonnet-4-5', stopReason: 'stop' }
  const id = await seed(site.call, [
    said('ask', null, 'user', 'Which cache?'),
    message('reply', 'ask', { ...answer, content: [{ type: 'text', text: 'LFU.' }] }),
  ])
  const { page } = await site.open(`/s/${id}`)
  await page.getByTitle('Who answers').getByText('claude-sonnet-4-5').click()
  await page.getByRole('dialog', { name: 'Who answers' }).getByText('needs a key').waitFor()
})

webTest('what is pressed twice goes on from here, and does nothing else', async () => {
  const id = await seed(site.call, TWO_BRANCHES)
  const { page } = await site.open(`/s/${id}`)
  const reply = messageWith(page, 'It depends on')
  await reply.hover()
  await reply.getByRole('button', { name: 'Go on from here' }).dblclick()
  await page.getByText('2 branches go on from here.').waitFor()
  expect((await treeOf(id)).nodes.reply!.isEnabled).toBe(true)
})
