import { routes } from '@treeline/protocol'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { startSite, webTest } from '../testing/browser.ts'
import { message, said, seed } from '../testing/seed.ts'

const site = startSite()

/** Answers of many lengths: no row is as high as it was guessed. */
const LONG = Array.from({ length: 400 }, (_, i) => {
  const role = i % 2 === 0 ? 'user' : 'assistant'
  return said(`n${i}`, i === 0 ? null : `n${i - 1}`, role, `Number ${i}. ${'Some words. '.repeat(1 + ((i * 37) % 90))}`)
})

/** Where messages stand on the screen, by their place in the trunk. */
function tops(page: Page): Promise<Record<string, number>> {
  return page
    .getByRole('article')
    .evaluateAll((all) =>
      Object.fromEntries(all.map((one) => [one.getAttribute('aria-posinset'), one.getBoundingClientRect().top])),
    )
}

webTest('of a long trunk only what is near the eye is in the page, and nothing jumps on the way up', async () => {
  const { page } = await site.open(`/s/${await seed(site.call, LONG)}`)
  await page.getByText('Number 399.').waitFor()
  expect(await page.locator('.chat *').count()).toBeLessThan(400)
  await page.mouse.move(700, 400)
  for (let step = 0; step < 30; step++) {
    const before = await tops(page)
    // Heights that were guessed are put right above, so how far it is from the top says nothing.
    const [place, top] = Object.entries(before).find(([, y]) => y > 0)!
    await page.mouse.wheel(0, -250)
    await page.waitForFunction(
      ([at, y]) => document.querySelector(`[aria-posinset="${at}"]`)!.getBoundingClientRect().top > Number(y) + 200,
      [place, top] as const,
    )
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    const after = await tops(page)
    const moved = Object.keys(before).flatMap((one) => (one in after ? [after[one]! - before[one]!] : []))
    expect(Math.max(...moved) - Math.min(...moved)).toBeLessThan(2)
    expect(Math.abs(moved[0]! - 250)).toBeLessThan(3)
  }
})

webTest('who has scrolled up stays there while an answer is written, and gets back to it', async () => {
  const id = await seed(site.call, LONG.slice(0, 80))
  const { page } = await site.open(`/s/${id}`)
  await page.getByText('Number 79.').waitFor()
  await page.mouse.move(700, 400)
  await page.mouse.wheel(0, -2_000)
  await page.getByRole('button', { name: 'Latest' }).waitFor()
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  const before = await tops(page)
  await site.call(routes.postMessage, {
    params: { sessionId: id },
    body: { parentId: 'n79', nodeId: 'asked', content: 'say 60 words', generate: [{ nodeId: 'answered' }] },
  })
  await page.getByText('The answer is being written.').waitFor({ state: 'attached' })
  await page.getByText('The answer is there.').waitFor({ state: 'attached' })
  expect(await tops(page)).toEqual(before)
  await page.getByRole('button', { name: 'Latest' }).click()
  await page.getByText('say 60 words').waitFor()
})

webTest('an address with a node lands on it', async () => {
  const { page } = await site.open(`/s/${await seed(site.call, LONG)}?node=n101`)
  await page.getByText('Number 101.').waitFor()
  const box = await page.locator('.message-found').boundingBox()
  expect(box!.y).toBeGreaterThan(0)
  expect(box!.y).toBeLessThan(120)
})

webTest('who has landed on a message can select beyond the edge: the page goes along', async () => {
  const { page } = await site.open(`/s/${await seed(site.call, LONG)}?node=n101`)
  const found = page.locator('.message-found')
  await found.waitFor()
  await expect.poll(async () => (await found.boundingBox())!.y).toBeLessThan(120)
  const { x, y } = (await found.getByText('Number 101.').boundingBox())!
  await page.mouse.move(x + 20, y + 10)
  await page.mouse.down()
  await page.mouse.move(x + 40, y + 60)
  const { height } = page.viewportSize()!
  for (let step = 0; step < 5; step++) await page.mouse.move(x + 40 + step, height - 2 + (step % 2))
  // It has left the page, or stands well above the edge.
  await expect
    .poll(async () => ((await found.count()) === 0 ? -999 : (await found.boundingBox())!.y))
    .toBeLessThan(-200)
  await page.mouse.up()
})

/** Pages scroll by themselves too: what is above grows, or all of it shrinks. */
function scrollByItself(page: Page): Promise<void> {
  return page.locator('.chat-scroll').evaluate((scroller) => scroller.scrollBy(0, 300))
}

webTest('who has landed on a message stays there while they type; only keys that scroll take them away', async () => {
  const { page } = await site.open(`/s/${await seed(site.call, LONG)}?node=n101`)
  const found = page.locator('.message-found')
  await found.waitFor()
  const top = async () => ((await found.count()) === 0 ? -999 : (await found.boundingBox())!.y)
  await expect.poll(top).toBeLessThan(120)
  const landed = await top()
  const prompt = page.locator('.composer textarea')
  await prompt.focus()
  for (const key of ['Shift', 'Control', 'q', ' ', 'ArrowUp', 'Home']) {
    await prompt.press(key)
    await scrollByItself(page)
    await expect.poll(top, { message: key }).toBe(landed)
  }
  await found.focus()
  await page.keyboard.press('Shift')
  await scrollByItself(page)
  await expect.poll(top).toBe(landed)
  await page.keyboard.press('PageDown')
  await expect.poll(top).toBeLessThan(-200)
})

webTest('a message with a picture is landed on, and the picture that comes later moves it nowhere', async () => {
  const picture = { type: 'image', data: await drawPicture(), mimeType: 'image/png' }
  const id = await seed(site.call, [
    ...LONG.slice(0, 40),
    message('seen', 'n39', { role: 'user', content: [{ type: 'text', text: 'Look at this.' }, picture] }),
    said('last', 'seen', 'assistant', 'A picture.'),
  ])
  const { page } = await site.open(`/s/${id}?node=seen`)
  await page.getByRole('img', { name: 'Attached picture' }).waitFor()
  await expect.poll(async () => (await page.locator('.message-found').boundingBox())!.y).toBeLessThan(120)
  expect((await page.locator('.message-found').boundingBox())!.y).toBeGreaterThan(0)
})

/** Higher than the screen. */
async function drawPicture(): Promise<string> {
  const { page } = await site.open('/')
  return page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 300, height: 900 })
    canvas.getContext('2d')!.fillRect(0, 0, 300, 900)
    return canvas.toDataURL('image/png').split(',')[1]!
  })
}
