import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Call, createCaller } from '@treeline/protocol'
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core'
import { afterAll, beforeAll, inject, test } from 'vitest'
import { type ServedProcess, startServing } from '../../../../testing/serving.ts'
import { openTab, type Tab } from './tab.ts'

/** A test in a browser; skipped where none can be started, of which a line on the error stream tells. */
export const webTest = test.skipIf(inject('chromium') === '')

export interface SiteOptions {
  /** How long the demo model waits after each word. */
  readonly delayMs?: number
  readonly words?: readonly string[]
}

export interface TabOptions extends BrowserContextOptions {
  /** Comes as somebody who is not logged in. */
  readonly isStranger?: boolean
}

/** The real program, serving one home for the tests of a file, and the browser that looks at it. */
export interface Site {
  readonly url: string
  /** For one browser, once. */
  readonly loginUrl: string
  readonly home: string
  /** Asks the server as a page of ours does, to make what a test begins with. */
  readonly call: Call
  /** A browser of its own with one page, closed after the test, which fails if the page complained of anything. */
  open(path?: string, options?: TabOptions): Promise<Tab>
  /** Ends the server; `SIGKILL` as a crash does. */
  stop(signal: NodeJS.Signals): Promise<void>
  /** On the same port and home. */
  start(): Promise<void>
}

/** Once in a file, outside its tests. */
export function startSite({ delayMs = 3, words = [] }: SiteOptions = {}): Site {
  const folder = mkdtempSync(join(tmpdir(), 'treeline-web-'))
  const [home, program] = [join(folder, 'home'), join(inject('dist'), 'treeline.js')]
  const env = { TREELINE_DEMO_DELAY_MS: String(delayMs) }
  let browser: Browser
  let served: ServedProcess
  let state: BrowserContextOptions['storageState'] & object
  let call: Call

  const start = async (port: number): Promise<void> => {
    served = await startServing({ program, words: ['--port', String(port), ...words], cwd: folder, home, env })
  }
  beforeAll(async () => {
    if (inject('chromium') === '') return
    ;[browser] = await Promise.all([chromium.connect(inject('chromium')), start(0)])
    state = await logIn(browser, served.loginUrl)
    call = createCaller({ baseUrl: served.url, fetch: withCookies(state.cookies) })
  })
  afterAll(async () => {
    await browser?.close()
    served?.kill('SIGKILL')
    await served?.exit
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    get url() {
      return served.url
    },
    get loginUrl() {
      return served.loginUrl
    },
    home,
    get call() {
      return call
    },
    async open(path = '/', { isStranger = false, ...options } = {}) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        locale: 'en-GB',
        reducedMotion: 'reduce',
        ...(isStranger ? {} : { storageState: state }),
        ...options,
      })
      return openTab(context, served.url, path)
    },
    async stop(signal) {
      served.kill(signal)
      await served.exit
    },
    start: () => start(served.port),
  }
}

async function logIn(browser: Browser, loginUrl: string) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(loginUrl)
  const state = await context.storageState()
  await context.close()
  return state
}

function withCookies(cookies: readonly { readonly name: string; readonly value: string }[]): typeof fetch {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return (url, init) => fetch(url, { ...init, headers: { ...init?.headers, cookie } as Record<string, string> })
}
