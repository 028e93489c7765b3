import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

const SHOTS = resolve(import.meta.dirname, '../../../../coverage/web')
const WANTS_SHOTS = process.env.TREELINE_SHOTS !== undefined
const WAIT_MS = 15_000

/** A page, and what it should never do. */
export interface Tab {
  readonly page: Page
  /** Another page of the same browser: one user with two tabs. */
  another(path?: string): Promise<Tab>
  /** What the page complains of from now on is expected by the test where it matches. */
  allow(pattern: RegExp): void
  /** A picture for people to look at, in `coverage/web/`, when they asked for it: `TREELINE_SHOTS=1`. */
  shoot(name: string): Promise<void>
}

/**
 * Errors, refusals of the content security policy, dialogs, and anything that is asked of another server fail the test:
 * no page of ours ever has one.
 */
export async function openTab(context: BrowserContext, origin: string, path: string): Promise<Tab> {
  const complaints: string[] = []
  const allowed: RegExp[] = []
  const complain = (text: string): void => {
    if (!allowed.some((pattern) => pattern.test(text))) complaints.push(text)
  }
  context.setDefaultTimeout(WAIT_MS)
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`refused by the policy: ${violatedDirective} ${blockedURI}`),
    )
  })
  context.on('console', (message) => {
    if (message.type() === 'error') complain(`console: ${message.text()} ${message.location().url}`)
  })
  context.on('weberror', (error) => complain(`uncaught: ${error.error().message}`))
  context.on('dialog', (dialog) => {
    complain(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  context.on('request', (request) => {
    if (!isOurs(request.url(), origin)) complain(`asked of another: ${request.url()}`)
  })
  onTestFinished(async ({ task }) => {
    const pages = task.result?.state === 'fail' ? context.pages() : []
    for (const [i, page] of pages.entries()) await shoot(page, `failed ${task.name} ${i}`)
    await context.close()
    expect(complaints).toEqual([])
  })
  const openPage = async (where: string): Promise<Tab> => {
    const page = await context.newPage()
    const tab: Tab = {
      page,
      another: (other = where) => openPage(other),
      allow: (pattern) => void allowed.push(pattern),
      shoot: async (name) => (WANTS_SHOTS ? shoot(page, name) : undefined),
    }
    await page.goto(new URL(where, origin).href)
    return tab
  }
  return openPage(path)
}

function isOurs(url: string, origin: string): boolean {
  return url.startsWith(`${origin}/`) || /^(?:data|blob):/.test(url)
}

async function shoot(page: Page, name: string): Promise<void> {
  mkdirSync(SHOTS, { recursive: true })
  await page.screenshot({ path: join(SHOTS, `${name.replace(/[^\w-]+/g, '-').slice(0, 100)}.png`) })
}
