import { gzipSync } from 'node:zlib'
import type { Response } from 'playwright-core'
import { expect } from 'vitest'
import { startSite, webTest } from '../testing/browser.ts'
import { messageWith } from '../testing/chat-page.ts'
import { seed, TWO_BRANCHES } from '../testing/seed.ts'

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
