import type { Locator, Page } from 'playwright-core'
import { isAt, stage } from './tree-page.ts'

/** A state of the page to be looked at, of a session that has two branches or more. */
export interface View {
  readonly name: string
  readonly path: (sessionId: string) => string
  readonly show: (page: Page) => Promise<unknown>
}

/** What one chooses from the menu of the conversation. */
export async function choose(page: Page, item: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: 'What to do with this conversation' }).click()
  await page.getByRole('menu').waitFor()
  await page.getByRole('menu').getByText(item).first().click()
}

const chat = (id: string): string => `/s/${id}`
const tree = (id: string): string => `/s/${id}?view=tree`
const isThere = (page: Page): Promise<void> => page.getByRole('article').last().waitFor()

/** The list of conversations lies behind a button where the screen is narrow. */
async function inList(page: Page, act: (list: Locator) => Promise<void>): Promise<void> {
  const list = page.getByRole('complementary', { name: 'Conversations' })
  const opener = page.getByRole('button', { name: 'Show the list' })
  await page.getByRole('heading', { name: 'Every conversation is a tree.' }).waitFor()
  if (await opener.isVisible()) await opener.click()
  await act(list)
}

/** Every view and everything that opens over one. */
export const VIEWS: readonly View[] = [
  {
    name: 'start',
    path: () => '/',
    show: (page) => page.getByRole('heading', { name: 'Every conversation is a tree.' }).waitFor(),
  },
  {
    name: 'search',
    path: () => '/',
    async show(page) {
      await inList(page, (list) => list.getByRole('searchbox').fill('cache'))
      await page.locator('.result, .results-note:not(:text("Looking"))').first().waitFor()
    },
  },
  {
    name: 'trash',
    path: () => '/',
    async show(page) {
      await inList(page, (list) => list.getByRole('button', { name: 'Trash' }).click())
      await page.getByRole('dialog', { name: 'Trash' }).getByRole('button', { name: 'Restore' }).first().waitFor()
    },
  },
  { name: 'chat', path: chat, show: isThere },
  {
    name: 'editing',
    path: chat,
    async show(page) {
      const message = page.getByRole('article', { name: 'You' }).last()
      await message.getByRole('button', { name: 'Say it differently' }).waitFor({ state: 'attached' })
      await message.focus()
      await page.keyboard.press('e')
      await page.getByRole('textbox', { name: 'Say it differently' }).waitFor()
      await page.locator('[title="Who answers"]').click()
      await page.getByRole('spinbutton').waitFor()
    },
  },
  {
    name: 'line',
    path: chat,
    async show(page) {
      await isThere(page)
      await page.getByRole('button', { name: 'Line', exact: true }).click()
      await page.getByRole('complementary', { name: 'What the model will get' }).locator('p').first().waitFor()
    },
  },
  {
    name: 'menu',
    path: chat,
    async show(page) {
      await isThere(page)
      await page.getByRole('button', { name: 'What to do with this conversation' }).click()
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'tags',
    path: chat,
    async show(page) {
      await isThere(page)
      await choose(page, 'Tags…')
      await page.getByRole('textbox', { name: 'New tag' }).waitFor()
    },
  },
  {
    name: 'export',
    path: chat,
    async show(page) {
      await isThere(page)
      await choose(page, 'Export…')
      await page.getByRole('dialog', { name: 'Export' }).waitFor()
    },
  },
  {
    name: 'compare',
    path: chat,
    async show(page) {
      await isThere(page)
      await choose(page, 'Compare branches…')
      await page.getByRole('dialog', { name: 'Compare branches' }).getByRole('button', { name: 'Merge' }).waitFor()
    },
  },
  {
    name: 'keys',
    path: chat,
    async show(page) {
      await isThere(page)
      await page.getByRole('article').last().focus()
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    },
  },
  {
    name: 'tree',
    path: tree,
    async show(page) {
      await isAt(page, /./)
      await page.getByRole('button', { name: 'Unfold all branches' }).click()
      await page.getByRole('button', { name: /^Fit all/ }).click()
      // Until what nodes say has come.
      await stage(page).getByText('…', { exact: true }).first().waitFor({ state: 'detached' })
    },
  },
  {
    name: 'tree-panels',
    path: tree,
    async show(page) {
      await isAt(page, /./)
      await page.keyboard.press('t')
      await page.getByRole('treeitem').first().waitFor()
      // On a narrow screen in its place.
      await page.keyboard.press('h')
      await page.getByRole('complementary', { name: 'History' }).waitFor()
    },
  },
  {
    name: 'tree-selected',
    path: tree,
    async show(page) {
      await isAt(page, /./)
      await page.keyboard.press('Shift+ArrowLeft')
      await page.getByRole('toolbar', { name: 'What can be done' }).waitFor()
    },
  },
  {
    name: 'tree-menu',
    path: tree,
    async show(page) {
      await isAt(page, /./)
      await page.keyboard.press('Shift+F10')
      await page.getByRole('menuitem').first().waitFor()
    },
  },
]
