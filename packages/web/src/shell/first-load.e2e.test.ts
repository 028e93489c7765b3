import { gzipSync } from 'node:zlib'
import type { Response } from 'playwright-core'
import { expect } from 'vitest'
import { startSite, webTest } from '../testing/browser.ts'
import { messageWith } from '../testing/chat-page.ts'
import { seed, TWO_BRANCHES } from '../testing/seed.ts'
import { isAt } from '../testing/tree-page.ts'

const site = startSite()

webTest('what is loaded before the first conversation stands there is under 350 kB, packed', async () => {
  const id = await seed(site.call, TWO_BRANCHES)
  const { page } = await site.open('/healthz')
  const loaded: Response[] = []
  page.on('response', (response) => loaded.push(response))
  await page.goto(`${site.url}/s/${id}`)
  await messageWith(page, 'least often').waitFor()
  const sizes = await Promise.all(loaded.map(async (response) => gzipSync(await response.body()).length))
  expect(loaded.length).toBeGreaterThan(3)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(350_000)
})

webTest('the tree is asked for once, before the program has run, and the worker comes with the page', async () => {
  const id = await seed(site.call, TWO_BRANCHES)
  const { page } = await site.open('/healthz')
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(`${site.url}/s/${id}?view=tree`)
  await isAt(page, /least.* often/)
  const trees = asked.filter((path) => path === `/api/chat/${id}/tree`)
  expect(trees).toHaveLength(1)
  const first = asked.findIndex((path) => path.startsWith('/api/'))
  expect(asked[first]).toBe(trees[0])
  expect(asked.slice(0, first)).toContainEqual(expect.stringContaining('.worker-'))
})
