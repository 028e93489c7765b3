import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** The picture of the tree, which takes keys. */
export function stage(page: Page): Locator {
  return page.getByRole('application', { name: 'The tree of this conversation' })
}

/** Resolves when the keys are at the node that says this; it is said aloud for those who cannot see it. */
export async function isAt(page: Page, text: string | RegExp): Promise<void> {
  await stage(page).locator('[aria-live]').filter({ hasText: text }).waitFor({ state: 'attached' })
}

/** What is near enough to be read stands over the picture. */
export function card(page: Page, text: string): Locator {
  return stage(page).getByText(text).first()
}

/** Opens the tree and unfolds all of it. */
export async function unfold(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Unfold all branches' }).click()
  await page.getByRole('button', { name: /^Fit all/ }).click()
  await stage(page).focus()
}

/** Drags with real pointer events, from the middle of one to a place in the other. */
export async function drag(page: Page, from: Locator, to: Locator, keys: readonly string[] = []): Promise<void> {
  await hasSettled(page)
  const [start, end] = [await middleOf(from), await middleOf(to)]
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  for (const key of keys) await page.keyboard.down(key)
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 3 })
  await page.mouse.move(end.x, end.y, { steps: 3 })
  await page.mouse.up()
  for (const key of keys) await page.keyboard.up(key)
}

/** Layouts are made elsewhere and come when they are done: resolves when nothing moves any more. */
export async function hasSettled(page: Page): Promise<void> {
  let before = ''
  const isStill = async (): Promise<boolean> => {
    const boxes = await stage(page)
      .locator('p')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))
    const [was, now] = [before, JSON.stringify(boxes)]
    before = now
    return now === was
  }
  await expect.poll(isStill, { interval: 150, timeout: 10_000 }).toBe(true)
}

async function middleOf(what: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const { x, y, width, height } = (await what.boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}
