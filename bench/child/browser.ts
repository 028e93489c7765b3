import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { startChromium } from '../../testing/chromium.ts'
import { type ServedProcess, startServing } from '../../testing/serving.ts'

export const VIEWPORT = { width: 1280, height: 800 }

export interface OpenBrowser {
  readonly page: Page
  close(): Promise<void>
}

/** A page of the built program, logged in; the server, the browser and this process do not wait for each other. */
export interface OpenSite extends OpenBrowser {
  readonly served: ServedProcess
}

export async function openBrowser(): Promise<OpenBrowser & { readonly browser: Browser }> {
  const browser = await startChromium()
  if (browser === undefined) throw new Error('This row needs Chromium, which cannot be started here.')
  const context = await browser.newContext({ viewport: VIEWPORT, reducedMotion: 'reduce', locale: 'en-GB' })
  return { browser, page: await context.newPage(), close: () => browser.close() }
}

export async function openSite(program: string, home: string): Promise<OpenSite> {
  const cwd = mkdtempSync(join(tmpdir(), 'treeline-bench-web-'))
  const [served, { page, close }] = await Promise.all([
    startServing({ program, words: ['--port', '0'], cwd, home }),
    openBrowser(),
  ])
  await page.goto(served.loginUrl)
  return {
    served,
    page,
    async close() {
      await close()
      served.kill('SIGKILL')
      await served.exit
    },
  }
}
