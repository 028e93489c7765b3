import { routes } from '@treeline/protocol'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { startSite, webTest } from '../testing/browser.ts'
import { messageWith, say } from '../testing/chat-page.ts'
import { HOSTILE_NAME, hostileEntries } from '../testing/hostile.ts'
import { seed } from '../testing/seed.ts'
import { VIEWS } from '../testing/views.ts'

const site = startSite()

interface Strange {
  readonly pwned: unknown
  /** Elements that no page of ours has. */
  readonly elements: readonly string[]
  /** Links that lead elsewhere than a page or a letter. */
  readonly links: readonly string[]
}

function findStrange(page: Page): Promise<Strange> {
  return page.evaluate(() => {
    const handlers = ['onload', 'onerror', 'onfocus', 'onmouseover', 'onclick', 'onbegin'].map((name) => `[${name}]`)
    const unwanted = [
      'script:not([src^="/assets/"])',
      'iframe',
      'object',
      'embed',
      'base',
      'style',
      'math',
      'form:not(.tag-form)',
    ]
    const elements = [...document.querySelectorAll([...unwanted, ...handlers, 'meta[http-equiv]', 'animate'].join())]
    const images = [...document.querySelectorAll('img, link')].filter(
      (one) =>
        !new RegExp(`^(?:blob:|data:image/|${location.origin}/)`).test(
          (one as HTMLImageElement).src || (one as HTMLLinkElement).href,
        ),
    )
    const links = [...document.querySelectorAll('a')].filter(
      ({ protocol, rel, target, origin }) =>
        !/^(?:https?|mailto):$/.test(protocol) ||
        (origin !== location.origin && (target !== '_blank' || !/noopener/.test(rel) || !/noreferrer/.test(rel))),
    )
    return {
      pwned: (globalThis as { pwned?: unknown }).pwned ?? null,
      elements: [...elements, ...images].map(({ outerHTML }) => outerHTML.slice(0, 200)),
      links: links.map(({ outerHTML }) => outerHTML.slice(0, 200)),
    }
  })
}

const NOTHING: Strange = { pwned: null, elements: [], links: [] }

async function makeHostile(): Promise<string> {
  const id = await seed(site.call, hostileEntries(), { title: HOSTILE_NAME })
  const params = { sessionId: id }
  await site.call(routes.patchSession, { params, body: { tags: [HOSTILE_NAME.slice(0, 90)] } })
  await site.call(routes.putEdit, { params, body: { operations: [{ op: 'prune', nodeId: 'other', include: 'self' }] } })
  await site.call(routes.patchFragment, { params: { ...params, fragmentId: 'other' }, body: { title: HOSTILE_NAME } })
  const thrownAway = await seed(site.call, hostileEntries(), { title: HOSTILE_NAME })
  await site.call(routes.deleteSession, { params: { sessionId: thrownAway } })
  return id
}

webTest(
  'K4 whatever a conversation says in any field, no view runs, fetches or shows any of it as its own',
  async () => {
    const id = await makeHostile()
    const { page, allow } = await site.open('/')
    // It is said to have been answered by a model that there is none of.
    allow(/status of 422 .*\/context/)
    for (const { name, path, show } of VIEWS) {
      await page.goto(site.url + path(id))
      await show(page)
      expect(await findStrange(page), name).toEqual(NOTHING)
    }
  },
)

webTest('K4 nor when it is unfolded, hovered over, or found', async () => {
  const id = await makeHostile()
  const { page, shoot } = await site.open(`/s/${id}`)
  await page.getByRole('article').last().waitFor()
  // Bodies that come make rows higher, and what leaves the window takes its folds with it.
  await page.waitForLoadState('networkidle')
  const folds = page.getByRole('article').locator('summary')
  for (let i = 0; i < (await folds.count()); i++) await folds.nth(i).click()
  expect(await findStrange(page)).toEqual(NOTHING)
  await shoot('hostile-chat')
  await page.getByText('window.pwned = 3').last().hover()
  await page.getByRole('searchbox', { name: 'Search all conversations' }).fill('pwned')
  await page.getByRole('button', { name: /pwned/ }).nth(2).waitFor()
  expect(await findStrange(page)).toEqual(NOTHING)
  await shoot('hostile-search')
  await say(page, `${HOSTILE_NAME} <script>window.pwned = 30</script>`)
  await messageWith(page, 'pwned = 30').last().waitFor()
  expect(await findStrange(page)).toEqual(NOTHING)
})
