import { type ChatHistoryTree, routes } from '@treeline/protocol'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { startSite, webTest } from '../testing/browser.ts'
import { isAnswered, messageWith, say } from '../testing/chat-page.ts'
import { said, seed, TWO_BRANCHES } from '../testing/seed.ts'
import { choose } from '../testing/views.ts'

const site = startSite()

const linePanel = (page: Page) => page.getByRole('complementary', { name: 'What the model will get' })

webTest('the line says what the model will get, and what a mute would change before anything is changed', async () => {
  const id = await seed(site.call, TWO_BRANCHES, { title: 'Caches' })
  const params = { sessionId: id }
  const { page, shoot } = await site.open(`/s/${id}`)
  await messageWith(page, 'least often').waitFor()
  await page.getByRole('button', { name: 'Line', exact: true }).click()
  const panel = linePanel(page)
  await panel.getByText('Explain LFU.').first().waitFor()
  const { messages } = await site.call(routes.getContext, { params })
  expect(await panel.getByRole('article').count()).toBe(messages.length)
  await panel.getByRole('switch').nth(1).click()
  await panel.getByText('If you change 1 message:').waitFor()
  await panel.getByText(/−\d/).waitFor()
  await shoot('what-if')
  const isOn = async () => ((await site.call(routes.getTree, { params })) as ChatHistoryTree).nodes.reply!.isEnabled
  expect(await isOn()).toBe(true)
  await panel.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('button', { name: '1 hidden' }).waitFor()
  expect(await isOn()).toBe(false)
})

webTest('two branches are compared from where they part, merged, and one is kept', async () => {
  const id = await seed(site.call, TWO_BRANCHES)
  const { page } = await site.open(`/s/${id}`)
  await messageWith(page, 'least often').waitFor()
  await choose(page, 'Compare branches…')
  const dialog = page.getByRole('dialog', { name: 'Compare branches' })
  await dialog.getByText('Both go on from: It depends on').waitFor()
  await dialog
    .getByText(/longest/)
    .locator('visible=true')
    .first()
    .waitFor()
  await dialog.getByText(/least/).locator('visible=true').first().waitFor()
  await dialog.getByRole('button', { name: 'Merge' }).click()
  // Until it ends one sees that it is under way.
  const underWay = page.getByText('The branches are being merged.')
  await underWay.waitFor()
  await page.getByText('The branches are merged.').waitFor()
  expect(await underWay.count()).toBe(0)
  const merged = async () => {
    const { nodes } = (await site.call(routes.getTree, { params: { sessionId: id } })) as ChatHistoryTree
    return nodes.reply!.childrenIds.map((child) => nodes[child]!.status)
  }
  await expect.poll(merged, { timeout: 10_000 }).toEqual(['complete', 'complete', 'complete'])

  await choose(page, 'Compare branches…')
  await dialog.getByRole('button', { name: 'Keep this one' }).first().click()
  await page.getByText('You go on from here. The other branch stays where it is.').waitFor()
})

webTest('of a side that is muted there is nothing to merge, and that is said before', async () => {
  const id = await seed(site.call, TWO_BRANCHES, { muted: ['left', 'left-reply'] })
  const { page } = await site.open(`/s/${id}`)
  await messageWith(page, 'least often').waitFor()
  await choose(page, 'Compare branches…')
  const dialog = page.getByRole('dialog', { name: 'Compare branches' })
  await dialog.getByText('All of one side is muted, so there is nothing of it to merge.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Merge' }).isDisabled()).toBe(true)
})

webTest('a plain chat has no tree to see; the way back is there', async () => {
  const id = await seed(site.call, TWO_BRANCHES)
  const { page, shoot } = await site.open(`/s/${id}`)
  await messageWith(page, 'least often').waitFor()
  await choose(page, 'Plain chat')
  await page.getByRole('button', { name: 'Tree', exact: true }).waitFor({ state: 'detached' })
  await say(page, 'Plainly')
  await isAnswered(page)
  await shoot('linear')
  await page.getByRole('button', { name: 'Back to the tree' }).click()
  await page.getByRole('button', { name: 'Tree', exact: true }).waitFor()
})

webTest(
  'X61 the beginning of the trunk is compacted: the line says what stands for what, and takes it back',
  async () => {
    const words = 'and more plums '.repeat(6_000)
    const id = await seed(site.call, [
      said('ask', null, 'user', `Plums ${words}`),
      said('reply', 'ask', 'assistant', 'They are ripe.'),
      said('again', 'reply', 'user', 'And the pears?'),
      said('pears', 'again', 'assistant', 'Not yet.'),
    ])
    const { page, shoot } = await site.open(`/s/${id}`)
    await messageWith(page, 'Not yet.').waitFor()
    await page.getByRole('button', { name: 'Line', exact: true }).click()
    const panel = linePanel(page)
    const tokens = async () => (await site.call(routes.getContext, { params: { sessionId: id } })).tokens.context
    const before = await tokens()
    await choose(page, 'Compact the line…')
    await page.getByRole('textbox', { name: /What the summary should mind/ }).fill('Mind the plums')
    await page.getByRole('dialog').getByRole('button', { name: 'Compact' }).click()
    await page.getByText('The line is compacted.').waitFor()
    await panel.getByText(/Stands for \d message/).click()
    await panel.getByText('Plums and more plums').first().waitFor()
    await shoot('compacted')
    expect(await tokens()).toBeLessThan(before / 2)
    await panel.getByRole('button', { name: 'Undo the summary' }).click()
    await page.getByText('The summary is gone; what it stood for is sent again.').waitFor()
    expect(await tokens()).toBe(before)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await panel.getByText(/Stands for \d message/).waitFor()
    expect(await tokens()).toBeLessThan(before / 2)
  },
)
