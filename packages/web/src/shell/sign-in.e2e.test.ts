import { doorRoutes } from '@treeline/protocol'
import { expect } from 'vitest'
import { startSite, webTest } from '../testing/browser.ts'

const site = startSite()
const REFUSED = /status of 401/

webTest('K1 a printed link lets one browser in, once; the next who opens it is told how to get in', async () => {
  const { url } = await site.call(doorRoutes.newLoginLink, {})
  const path = url.slice(site.url.length)
  const first = await site.open(path, { isStranger: true })
  await first.page.getByRole('button', { name: 'New chat' }).first().waitFor()
  expect(new URL(first.page.url()).search).toBe('')
  // Whoever is in already is let through.
  await first.page.goto(url)
  await first.page.getByRole('button', { name: 'New chat' }).first().waitFor()

  const second = await site.open('/healthz', { isStranger: true })
  second.allow(REFUSED)
  await second.page.goto(url)
  await second.page.getByRole('heading', { name: 'This link does not count' }).waitFor()
  await second.shoot('link-does-not-count')
})

webTest('K1 without a link nobody sees anything', async () => {
  const stranger = await site.open('/healthz', { isStranger: true })
  stranger.allow(REFUSED)
  for (const path of ['/', '/s/abc', '/assets/index.js']) {
    await stranger.page.goto(site.url + path)
    await stranger.page.getByRole('heading', { name: 'Not logged in' }).waitFor()
  }
  await stranger.shoot('not-logged-in')
})
