import { existsSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { type Browser, type LaunchOptions, chromium as playwright } from 'playwright-core'

/**
 * What the package asks for suits a cloud function: one process, which dies with its first page, and a browser that has
 * its own defences off, which are what a test of a page's safety is about.
 */
const UNWANTED: ReadonlySet<string> = new Set([
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--disable-site-isolation-trials',
])

/** A real browser from npm, without root and without a window; `undefined` and a word on stderr where it cannot start. */
export async function startChromium(): Promise<Browser | undefined> {
  return orSkip(async () => playwright.launch(await launchOptions()))
}

/** The same for several processes, which connect to the address that it gives. */
export async function startSharedChromium(): Promise<SharedChromium | undefined> {
  return orSkip(async () => {
    const server = await playwright.launchServer(await launchOptions())
    return { address: server.wsEndpoint(), close: () => server.close() }
  })
}

export interface SharedChromium {
  readonly address: string
  close(): Promise<void>
}

async function orSkip<T>(start: () => Promise<T>): Promise<T | undefined> {
  try {
    return await start()
  } catch (error) {
    console.warn(`Chromium could not be started, tests in a browser are skipped: ${String(error).split('\n')[0]}`)
    return undefined
  }
}

async function launchOptions(): Promise<LaunchOptions> {
  chromium.setGraphicsMode = false
  return {
    executablePath: await unpackChromium(),
    args: [...chromium.args.filter((arg) => !UNWANTED.has(arg)), '--no-sandbox'],
    headless: true,
    timeout: 20_000,
  }
}

/**
 * Once for each user, in a folder of their own: the package itself unpacks to one place for everybody, where another user
 * may not run it and another process may find it half written.
 */
async function unpackChromium(): Promise<string> {
  const user = process.getuid?.() ?? 0
  const folder = join(tmpdir(), `treeline-chromium-${user}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid, mode } = lstatSync(folder)
  if (uid !== user || (mode & 0o022) !== 0) throw new Error(`${folder} is not ours alone. Remove it and try again.`)
  const ready = join(folder, 'ready')
  if (existsSync(ready)) return join(ready, 'chromium')
  const own = mkdtempSync(join(folder, 'unpacking-'))
  const before = process.env.TMPDIR
  try {
    // The package asks the system where temporary files go.
    process.env.TMPDIR = own
    await chromium.executablePath()
    if (!existsSync(ready)) renameSync(own, ready)
  } catch (error) {
    if (!existsSync(ready)) throw error
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    rmSync(own, { recursive: true, force: true })
  }
  return join(ready, 'chromium')
}
