import type { Locator, Page } from 'playwright-core'

/** The box to write in. */
export function box(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Message', exact: true })
}

/** Whatever becomes of it. */
export async function send(page: Page, text: string): Promise<void> {
  await box(page).fill(text)
  await box(page).press('Enter')
}

/** Resolves when it is part of the conversation. */
export async function say(page: Page, text: string): Promise<void> {
  await send(page, text)
  await messageWith(page, text).first().waitFor()
}

/** The message that says this. */
export function messageWith(page: Page, text: string): Locator {
  return page.getByRole('article').filter({ hasText: text })
}

/** What is done with a message by its toolbar. */
export async function press(message: Locator, command: string | RegExp): Promise<void> {
  await message.hover()
  await message.getByRole('button', { name: command }).click()
}

/** Resolves when the answer at the end of the trunk is whole. */
export async function isAnswered(page: Page): Promise<void> {
  await page.getByText('The answer is there.').waitFor({ state: 'attached' })
}

/** The words of each message in the chat, in order. */
export function texts(page: Page): Promise<string[]> {
  return page.getByRole('article').allInnerTexts()
}

/** How many messages the trunk has: of a long one only some are in the page. */
export async function trunkLength(page: Page): Promise<number> {
  return Number(await page.getByRole('article').last().getAttribute('aria-setsize'))
}
