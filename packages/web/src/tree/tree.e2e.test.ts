import { type ChatHistoryTree, type EditOp, routes } from '@treeline/protocol'
import { expect } from 'vitest'
import { startSite, webTest } from '../testing/browser.ts'
import { said, seed, TWO_BRANCHES } from '../testing/seed.ts'
import { card, drag, hasSettled, isAt, stage, unfold } from '../testing/tree-page.ts'

const site = startSite()

async function treeOf(sessionId: string): Promise<ChatHistoryTree> {
  return (await site.call(routes.getTree, { params: { sessionId } })) as ChatHistoryTree
}

/** The shape of a tree as one can read it: `ask>reply>(left>left-reply,right>right-reply)`. */
async function shapeOf(sessionId: string): Promise<string> {
  const { nodes, rootNodeIds } = await treeOf(sessionId)
  const below = (ids: readonly string[]): string => {
    const parts = ids.map((id) => {
      const rest = below(nodes[id]!.childrenIds)
      return rest === '' ? id : `${id}>${rest}`
    })
    return parts.length > 1 ? `(${parts.join(',')})` : (parts[0] ?? '')
  }
  return below(rootNodeIds)
}

const BEGINNING = 'ask>reply>(left>left-reply,right>right-reply)'

async function openTree(title = 'Caches') {
  const id = await seed(site.call, TWO_BRANCHES, { title })
  const tab = await site.open(`/s/${id}?view=tree`)
  await isAt(tab.page, /least.* often/)
  return { id, tab, page: tab.page }
}

webTest('T9 the trunk stands open and other branches folded; arrow keys go from node to node', async () => {
  const { page, tab } = await openTree()
  await tab.shoot('tree')
  await page.keyboard.press('ArrowLeft')
  await isAt(page, /^You, Branch 2 of 2, Explain LFU\.,.*on the trunk/)
  await page.keyboard.press('ArrowDown')
  await isAt(page, '2 messages, Explain LRU.')
  await page.keyboard.press('o')
  await card(page, 'longest').waitFor()
  await page.keyboard.press('Home')
  await isAt(page, 'Which cache should I use?')
  await page.keyboard.press('t')
  const outline = page.getByRole('tree', { name: 'Outline' })
  await outline.getByRole('treeitem', { name: /Explain LRU/ }).waitFor()
  expect(await outline.getByRole('treeitem').count()).toBe(6)
  expect(await outline.locator('[tabindex="0"]').count()).toBe(1)
})

webTest('T12–T15 every operation by key, and undone again to where it began', async () => {
  const { id, page, tab } = await openTree()
  const shape = (wanted: string) => expect.poll(() => shapeOf(id), { timeout: 10_000 }).toBe(wanted)
  await page.keyboard.press('Space')
  await expect.poll(async () => (await treeOf(id)).nodes['right-reply']!.isEnabled).toBe(false)
  await page.keyboard.press('5')
  await expect.poll(async () => (await treeOf(id)).nodes['right-reply']!.metadata?.rating).toBe(5)
  await page.keyboard.press('l')
  await page.getByRole('dialog').getByRole('textbox').fill('chosen')
  await page.keyboard.press('Enter')
  await card(page, 'chosen').waitFor()

  await page.keyboard.press('ArrowLeft')
  await isAt(page, 'Explain LFU.')
  await page.keyboard.press('x')
  await shape('ask>reply>left>left-reply')
  await page.getByRole('region', { name: 'Stash' }).getByText('Explain LFU.').waitFor()
  await tab.shoot('tree-stash')
  await isAt(page, 'It depends on')
  await page.keyboard.press('Home')
  await isAt(page, 'Which cache')
  await page.keyboard.press('p')
  await shape('ask>(reply>left>left-reply,right>right-reply)')
  await isAt(page, 'Explain LFU.')

  await page.keyboard.press('Delete')
  await shape('ask>reply>left>left-reply')
  const offer = page.getByRole('button', { name: 'Restore', exact: true })
  await offer.waitFor()
  for (const wanted of ['ask>(reply>left>left-reply,right>right-reply)', 'ask>reply>left>left-reply', BEGINNING]) {
    await page.keyboard.press('Control+z')
    await shape(wanted)
  }
  await offer.waitFor({ state: 'detached', timeout: 2_000 })
  for (let steps = 0; steps < 3; steps++) await page.keyboard.press('Control+z')
  await expect
    .poll(async () => {
      const { isEnabled, metadata } = (await treeOf(id)).nodes['right-reply']!
      return [isEnabled, metadata?.rating, metadata?.labels]
    })
    .toEqual([true, undefined, undefined])
  await page.keyboard.press('Control+Shift+z')
  await expect.poll(async () => (await treeOf(id)).nodes['right-reply']!.isEnabled).toBe(false)
  await page.keyboard.press('h')
  await page.getByRole('complementary', { name: 'History' }).getByRole('listitem').first().waitFor()
  await tab.shoot('tree-history')
})

webTest('keys that come faster than the answers mean what they would have meant later', async () => {
  const { id, page } = await openTree()
  await page.keyboard.press('ArrowLeft')
  await isAt(page, 'Explain LFU.')
  let held = 0
  const pressed = Promise.withResolvers<void>()
  await page.route('**/edit', async (route) => {
    held++
    await pressed.promise
    await route.continue()
  })
  for (const key of ['x', 'Home', 'p', 'Alt+ArrowUp', 'Control+z']) await page.keyboard.press(key)
  pressed.resolve()
  await expect.poll(() => shapeOf(id), { timeout: 10_000 }).toBe('ask>(reply>left>left-reply,right>right-reply)')
  await expect.poll(() => held).toBe(3)
  await isAt(page, 'Explain LFU.')
})

webTest('a rating goes as it came, also of nodes whose words were never on screen', async () => {
  const id = await seed(site.call, TWO_BRANCHES)
  const operations = ['left', 'left-reply'].map(
    (nodeId): EditOp => ({ op: 'setMetadata', nodeId, patch: { rating: 3 } }),
  )
  await site.call(routes.putEdit, { params: { sessionId: id }, body: { operations } })
  const { page } = await site.open(`/s/${id}?view=tree`)
  await isAt(page, /least.* often/)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowDown')
  await isAt(page, '2 messages, Explain LRU.')
  const ratings = async () => {
    const { nodes } = await treeOf(id)
    return [nodes.left!.metadata?.rating, nodes['left-reply']!.metadata?.rating]
  }
  await page.keyboard.press('3')
  await expect.poll(ratings).toEqual([undefined, undefined])
  await page.keyboard.press('4')
  await expect.poll(ratings).toEqual([4, 4])
})

webTest(
  'X44 siblings change places, a fragment is put between two nodes, what is deleted comes back, a rating goes as it came',
  async () => {
    const { id, page } = await openTree()
    const shape = (wanted: string) => expect.poll(() => shapeOf(id), { timeout: 10_000 }).toBe(wanted)
    const rating = (wanted: number | undefined) =>
      expect.poll(async () => (await treeOf(id)).nodes['right-reply']!.metadata?.rating).toBe(wanted)
    await page.keyboard.press('3')
    await rating(3)
    await card(page, '★★★').waitFor()
    await page.keyboard.press('3')
    await rating(undefined)
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menu').getByRole('menuitemradio', { name: '4 of 5' }).click()
    await rating(4)

    await page.keyboard.press('ArrowLeft')
    await isAt(page, 'Explain LFU.')
    await page.keyboard.press('Alt+ArrowUp')
    await shape('ask>reply>(right>right-reply,left>left-reply)')
    await page.keyboard.press('x')
    await isAt(page, 'It depends on')
    await page.keyboard.press('Home')
    await isAt(page, 'Which cache')
    await page.keyboard.press('i')
    await shape('ask>right>right-reply>reply>left>left-reply')
    await isAt(page, 'Explain LFU.')
    await page.keyboard.press('Delete')
    await shape('ask')
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await shape('ask>right>right-reply>reply>left>left-reply')
    // A restored branch is where it was, and so is everything that was done before.
    await page.getByRole('button', { name: /^Undo \(/ }).click()
    await shape('ask')
    await page.getByRole('button', { name: /^Redo \(/ }).click()
    await shape('ask>right>right-reply>reply>left>left-reply')
  },
)

webTest('T40 the stash: a fragment gets a title, goes back where it was, is dragged onto the tree', async () => {
  const { id, page } = await openTree()
  await unfold(page)
  await page.keyboard.press('Home')
  await isAt(page, 'Which cache')
  await page.keyboard.press('Shift+X')
  await expect.poll(() => shapeOf(id)).toBe('ask')
  const stash = page.getByRole('region', { name: 'Stash' })
  await stash.getByText('5 messages').waitFor()
  await stash.getByRole('button', { name: 'Title of this fragment' }).click()
  // Without a click into it first.
  await page.getByRole('dialog').getByRole('textbox').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Both policies')
  await page.keyboard.press('Enter')
  await stash.getByText('Both policies').waitFor()
  await stash.getByRole('button', { name: 'Put back where it was' }).click()
  await expect.poll(() => shapeOf(id)).toBe(BEGINNING)

  await unfold(page)
  await card(page, 'Explain LRU.').click()
  await page.keyboard.press('x')
  await stash.getByText('Explain LRU.').waitFor()
  // It goes alone: what is left has not moved, and can be aimed at.
  await drag(page, stash.getByText('Explain LRU.'), card(page, 'least'))
  await expect.poll(() => shapeOf(id)).toBe('ask>reply>right>right-reply>left>left-reply')
})

webTest('G2 the history goes back before the server was started, and each edit can be undone and redone', async () => {
  const id = await seed(site.call, TWO_BRANCHES, { title: 'Caches' })
  const edit = (operations: EditOp[]) => site.call(routes.putEdit, { params: { sessionId: id }, body: { operations } })
  await edit([{ op: 'prune', nodeId: 'left', include: 'self' }])
  await edit([{ op: 'setEnabled', nodeIds: ['ask'], isEnabled: false }])
  await site.stop('SIGTERM')
  await site.start()
  const { page, shoot } = await site.open(`/s/${id}?view=tree`)
  await isAt(page, /least.* often/)
  await page.keyboard.press('h')
  const history = page.getByRole('complementary', { name: 'History' })
  const cut = history.getByRole('listitem').filter({ hasText: 'Cut off' })
  await cut.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => shapeOf(id)).toBe(BEGINNING)
  await cut.getByText('undone').waitFor()
  await shoot('tree-history-undone')
  await cut.getByRole('button', { name: 'Redo' }).click()
  await expect.poll(() => shapeOf(id)).toBe('ask>reply>right>right-reply')
  expect(await history.getByRole('listitem').count()).toBe(2)

  await page.reload()
  await isAt(page, /least.* often/)
  await page.keyboard.press('Control+z')
  await expect.poll(async () => (await treeOf(id)).nodes.ask!.isEnabled).toBe(true)
})

webTest('what is selected is summed up, and the line takes the summary back', async () => {
  const { id, page } = await openTree()
  await page.keyboard.press('Shift+ArrowLeft')
  const bar = page.getByRole('toolbar', { name: 'What can be done' })
  await bar.getByText('2 selected').waitFor()
  await bar.getByRole('button', { name: 'Sum up' }).click()
  const muted = async () => Object.values((await treeOf(id)).nodes).flatMap((node) => (node.isEnabled ? [] : [node.id]))
  await expect.poll(muted, { timeout: 10_000 }).toEqual(['right', 'right-reply'])
  await page.getByText('The summary is there, and what it covers is muted.').waitFor()
  // The line is that of what is selected.
  await stage(page).focus()
  await page.keyboard.press('End')
  await page.getByRole('button', { name: 'Line', exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'What the model will get' })
  await panel.getByText('Stands for 2 messages').waitFor()
  await panel.getByRole('button', { name: 'Undo the summary' }).click()
  await expect.poll(muted).toEqual([])
})

webTest('T39 the minimap goes where it is pressed', async () => {
  const long = Array.from({ length: 60 }, (_, i) => [
    said(`m${i}`, i === 0 ? null : `m${i - 1}`, 'user', `Message ${i}.`),
    // Another branch each time, so that no run is contracted.
    said(`b${i}`, `m${i}`, 'assistant', `Aside ${i}.`),
  ]).flat()
  const { page } = await site.open(`/s/${await seed(site.call, long, { leafId: 'm59' })}?view=tree`)
  await isAt(page, 'Message 59.')
  expect(await card(page, 'Message 0.').count()).toBe(0)
  await page
    .getByTitle('All of the tree')
    .locator('canvas')
    .click({ position: { x: 92, y: 8 } })
  await card(page, 'Message 0.').waitFor()
})

webTest('boxes glide to their places, and for who wants no motion they are there', async () => {
  const id = await seed(site.call, TWO_BRANCHES)
  const heights = async (reducedMotion: 'reduce' | 'no-preference'): Promise<number> => {
    const { page } = await site.open(`/s/${id}?view=tree`, { reducedMotion })
    await isAt(page, /least.* often/)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowDown')
    await isAt(page, '2 messages, Explain LRU.')
    await hasSettled(page)
    const seen = page.evaluate(async () => {
      const tops = new Set<number>()
      const end = performance.now() + 400
      while (performance.now() < end) {
        const last = document.querySelectorAll('.tree-node').item(5)
        if (last !== null) tops.add(Math.round(last.getBoundingClientRect().top))
        await new Promise(requestAnimationFrame)
      }
      return tops.size
    })
    await page.keyboard.press('o')
    return seen
  }
  expect(await heights('no-preference')).toBeGreaterThan(3)
  expect(await heights('reduce')).toBe(1)
})

webTest('T13 a branch is grafted by dragging it, and copied with a key held', async () => {
  const { id, page, tab } = await openTree()
  await drag(page, card(page, 'Explain LFU.'), card(page, 'Explain LRU.'))
  await expect.poll(() => shapeOf(id)).toBe('ask>reply>left>(left-reply,right>right-reply)')
  // What was folded opens for what was put into it.
  await card(page, 'Explain LFU.').waitFor()
  const offer = page.getByRole('button', { name: 'Undo', exact: true })
  await offer.waitFor()
  await tab.shoot('tree-moved')
  await page.keyboard.press('Control+z')
  await expect.poll(() => shapeOf(id)).toBe(BEGINNING)
  // It was taken back by another way.
  await offer.waitFor({ state: 'detached', timeout: 2_000 })
  await unfold(page)
  await drag(page, card(page, 'Explain LFU.'), card(page, 'longest'))
  await expect.poll(() => shapeOf(id)).toBe('ask>reply>left>left-reply>right>right-reply')
  await offer.click()
  await expect.poll(() => shapeOf(id)).toBe(BEGINNING)
  await drag(page, card(page, 'Explain LRU.'), card(page, 'least'), ['Control'])
  await expect.poll(() => shapeOf(id)).toMatch(/^ask>reply>\(left>left-reply,right>right-reply>[^,]+>[^,]+\)$/)
})

webTest('several are chosen with a box and changed at once', async () => {
  const { id, page, tab } = await openTree()
  await unfold(page)
  await card(page, 'longest').waitFor()
  const { x, y, width, height } = (await stage(page).boundingBox())!
  await page.keyboard.down('Shift')
  await page.mouse.move(x + 4, y + 4)
  await page.mouse.down()
  await page.mouse.move(x + width - 200, y + height - 8, { steps: 4 })
  await page.mouse.up()
  await page.keyboard.up('Shift')
  const bar = page.getByRole('toolbar', { name: 'What can be done' })
  await bar.getByText('6 selected').waitFor()
  await tab.shoot('tree-selected')
  await bar.getByRole('button', { name: 'Mute', exact: true }).click()
  await expect
    .poll(async () => Object.values((await treeOf(id)).nodes).filter(({ isEnabled }) => isEnabled).length)
    .toBe(0)
})

webTest('the menu has every operation: another trunk, a fork', async () => {
  const { id, page, tab } = await openTree()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowDown')
  await isAt(page, 'Explain LRU.')
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: /^Make this the trunk/ }).waitFor()
  await tab.shoot('tree-menu')
  // It stands where the node does.
  const [menu, node] = [
    (await page.getByRole('menu').boundingBox())!,
    (await card(page, 'Explain LRU.').boundingBox())!,
  ]
  expect(Math.abs(menu.x - node.x)).toBeLessThan(60)
  await page.getByRole('menuitem', { name: /^Make this the trunk/ }).click()
  await expect.poll(async () => (await treeOf(id)).activeLeafId).toBe('left-reply')
  await hasSettled(page)
  await card(page, 'longest').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Fork the way to here into a new session' }).click()
  await expect.poll(() => new URL(page.url()).pathname).not.toBe(`/s/${id}`)
  const forked = new URL(page.url()).pathname.split('/')[2]!
  expect(Object.keys((await treeOf(forked)).nodes)).toHaveLength(4)
})

webTest('what is looked for stays bright, and Enter goes to it', async () => {
  const { page, tab } = await openTree()
  await page.keyboard.press('/')
  await page.getByRole('textbox', { name: 'Search in the tree' }).fill('longest')
  await page.getByRole('status').filter({ hasText: '1' }).first().waitFor()
  await page.keyboard.press('Enter')
  await isAt(page, 'longest')
  await tab.shoot('tree-search')
})

webTest('answers grow in the tree while they are written, and what another tab does is there at once', async () => {
  const { id, page, tab } = await openTree()
  const other = await tab.another()
  await isAt(other.page, /least.* often/)
  await site.call(routes.postMessage, {
    params: { sessionId: id },
    body: { parentId: 'right-reply', content: 'say 300 words', generate: [{}] },
  })
  await card(page, 'nothing every conversation').waitFor()
  await tab.shoot('tree-live')
  await page.keyboard.press('Home')
  await isAt(page, 'Which cache')
  await page.keyboard.press('Shift+X')
  await expect.poll(() => shapeOf(id)).toBe('ask')
  await other.page.getByRole('region', { name: 'Stash' }).getByText('It depends on').waitFor()
})

webTest('the bar for what is selected is one row and stands on nothing of it', async () => {
  const long = Array.from({ length: 9 }, (_, i) => [
    said(`m${i}`, i === 0 ? null : `m${i - 1}`, i % 2 === 0 ? 'user' : 'assistant', `Message ${i}.`),
    // Another branch each time, so that no run is contracted.
    said(`b${i}`, `m${i}`, 'assistant', `Aside ${i}.`),
  ]).flat()
  const { page, shoot } = await site.open(`/s/${await seed(site.call, long, { leafId: 'm8' })}?view=tree`)
  await isAt(page, 'Message 8.')
  await page.keyboard.press('Shift+ArrowLeft')
  const bar = page.getByRole('toolbar', { name: 'What can be done' })
  await bar.getByText('2 selected').waitFor()
  await hasSettled(page)
  await shoot('tree-selected-end')
  const [top, node] = [(await bar.boundingBox())!, (await page.locator('.tree-node.is-selected').last().boundingBox())!]
  expect(top.height).toBeLessThan(45)
  expect(node.y + node.height).toBeLessThan(top.y)
})

webTest('of a tree that is all on screen there is no minimap, of one that is not there is', async () => {
  const { page } = await openTree()
  const map = page.getByTitle('All of the tree')
  await map.waitFor({ state: 'hidden' })
  for (let i = 0; i < 3; i++) await page.keyboard.press('+')
  await map.waitFor()
})

webTest('an empty tree leads to the chat', async () => {
  const { sessionId } = await site.call(routes.createSession, { body: {} })
  const { page } = await site.open(`/s/${sessionId}?view=tree`)
  await page.getByRole('button', { name: 'Begin in the chat' }).click()
  await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor()
})
