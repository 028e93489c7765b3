import { test } from 'vitest'
import { startChromium } from '../../../formats/src/testing/chromium.ts'
import { startTestServer } from '../testing/test-server.ts'

test('shot', async () => {
  await using server = await startTestServer()
  const browser = (await startChromium())!
  for (const scheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme: scheme, viewport: { width: 1280, height: 900 } })
    const page = await context.newPage()
    page.on('console', (m) => console.log('console', m.text()))
    await page.goto(server.server.newLoginUrl())
    await page.goto(`${server.url}/api/chat/docs`)
    await page.screenshot({ path: `/tmp/shots/${scheme}-top.png` })
    for (const id of [
      'getTree',
      'putEdit',
      'postMessage',
      'socket',
      'problems',
      'type-DurableEvent',
      'type-ChatMessageNode',
    ]) {
      await page.goto(`${server.url}/api/chat/docs#${id}`)
      await page.screenshot({ path: `/tmp/shots/${scheme}-${id}.png` })
    }
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(`${server.url}/api/chat/docs#putEdit`)
    await page.screenshot({ path: `/tmp/shots/${scheme}-phone.png` })
    console.log(
      await page.evaluate('[document.documentElement.scrollWidth, innerWidth]'),
      (await page.content()).length,
    )
  }
  await browser.close()
}, 60_000)
