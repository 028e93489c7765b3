import { type ChatHistoryTree, routes } from '@treeline/protocol'
import { expect } from 'vitest'
import { startSite, webTest } from '../testing/browser.ts'
import { box, isAnswered, messageWith, press, say, send, trunkLength } from '../testing/chat-page.ts'
import { seed, TWO_BRANCHES } from '../testing/seed.ts'

const site = startSite()
/** What a browser itself says when nobody answers. */
const NOBODY_THERE = /ERR_CONNECTION_|WebSocket connection/

webTest('what one tab does appears in the other: words as they come, a switch, a mute, a new name', async () => {
  const id = await seed(site.call, TWO_BRANCHES, { title: 'Caches' })
  const one = await site.open(`/s/${id}`)
  const other = await one.another()
  await messageWith(other.page, 'least often').waitFor()

  await say(one.page, 'say 200 words')
  const [here, there] = [one, other].map(({ page }) => messageWith(page, 'every conversation is a tree'))
  await there!.waitFor()
  // It is still being written.
  await other.page.getByRole('button', { name: 'Stop' }).first().waitFor()
  await Promise.all([isAnswered(one.page), isAnswered(other.page)])
  expect(await there!.textContent()).toBe(await here!.textContent())

  await press(messageWith(other.page, 'It depends on'), /^Mute/)
  await one.page.getByRole('button', { name: '1 hidden' }).waitFor()
  await messageWith(one.page, 'Explain LFU.')
    .getByRole('button', { name: /Version before/ })
    .click()
  await messageWith(other.page, 'longest ago').waitFor()
  await site.call(routes.patchSession, { params: { sessionId: id }, body: { title: 'Renamed elsewhere' } })
  for (const { page } of [one, other]) await page.getByRole('heading', { name: 'Renamed elsewhere' }).waitFor()
})

webTest('answers in several branches are written at once while one goes on typing', async () => {
  const id = await seed(site.call, TWO_BRANCHES)
  const { page } = await site.open(`/s/${id}`)
  await messageWith(page, 'least often').waitFor()
  const ask = (parentId: string) =>
    site.call(routes.postMessage, {
      params: { sessionId: id },
      body: { parentId, content: 'say 300 words', generate: [{}], activate: 'never' },
    })
  await Promise.all([ask('left-reply'), ask('left-reply'), ask('right-reply')])
  await page.getByText('3 answers are being written on other branches.').waitFor()
  await box(page).pressSequentially('still typing')
  expect(await box(page).inputValue()).toBe('still typing')
  await page.getByText('being written on other branches.').waitFor({ state: 'detached' })
})

webTest('what somebody else was quicker with is taken back, with a word why', async () => {
  const id = await seed(site.call, TWO_BRANCHES)
  const params = { sessionId: id }
  const tab = await site.open(`/s/${id}`)
  const { page } = tab
  tab.allow(/status of (404|409)/)
  const asked = messageWith(page, 'Explain LFU.')
  await asked.waitFor()
  // Between the click and its request another one cuts the branch off.
  await page.route('**/active_leaf', async (route) => {
    await site.call(routes.putEdit, {
      params,
      body: { operations: [{ op: 'prune', nodeId: 'left', include: 'self' }] },
    })
    await route.continue()
  })
  await asked.getByRole('button', { name: /Version before/ }).click()
  await page.locator('.notice-problem').filter({ hasText: 'stash' }).waitFor()
  await messageWith(page, 'least often').waitFor()
  expect(await page.getByRole('group', { name: /^Version/ }).count()).toBe(0)

  await page.route('**/nodes/state', async (route) => {
    await site.call(routes.putEdit, { params, body: { operations: [{ op: 'delete', nodeIds: ['right-reply'] }] } })
    await route.continue()
  })
  await press(messageWith(page, 'least often'), /^Mute/)
  await page.locator('.notice-problem').filter({ hasText: 'it may have been deleted meanwhile' }).waitFor()
  expect(await page.getByRole('button', { name: '1 hidden' }).count()).toBe(0)
})

webTest('a server that crashes and comes back: the page says so, follows again, and nothing is lost', async () => {
  const id = await seed(site.call, TWO_BRANCHES)
  const tab = await site.open(`/s/${id}`)
  const { page } = tab
  tab.allow(NOBODY_THERE)
  await say(page, 'say 4000 words')
  await messageWith(page, 'every conversation is a tree').waitFor()
  // What is written beside the log while it comes is at most two seconds old (§4 of the API).
  await expect
    .poll(async () => (await page.getByRole('article').last().textContent())!.length, { timeout: 20_000 })
    .toBeGreaterThan(4_000)
  await site.stop('SIGKILL')
  const notice = page.getByText('Not connected. Trying again; nothing is lost.')
  await notice.waitFor()
  await tab.shoot('offline')
  expect(await trunkLength(page)).toBe(6)
  await send(page, 'Said while nobody was there')
  await page.getByText('Sent as soon as the server is there again.').waitFor()

  await site.start()
  await notice.waitFor({ state: 'detached', timeout: 20_000 })
  await page.getByText('The server was stopped while this was written. What had come is kept.').waitFor()
  await expect.poll(() => trunkLength(page)).toBe(8)
  const { nodes } = (await site.call(routes.getTree, { params: { sessionId: id } })) as ChatHistoryTree
  const saying = (content: string) => Object.values(nodes).find((node) => node.content === content)
  const later = saying('Said while nobody was there')
  const interrupted = nodes[later!.parentId!]
  const asked = nodes[interrupted!.parentId!]
  expect(asked).toMatchObject({ content: 'say 4000 words', status: 'complete' })
  expect(interrupted).toMatchObject({ status: 'error', metadata: { error: 'interrupted' } })
  expect(interrupted!.content.length).toBeGreaterThan(1_000)
})
