import axe from 'axe-core'
import type { Page } from 'playwright-core'

export interface Barrier {
  readonly rule: string
  readonly nodes: readonly string[]
}

/** Has axe in every page from now on. The page must have been opened with `bypassCSP`: ours runs no script but its own. */
export async function bringAxe(page: Page): Promise<void> {
  await page.addInitScript(axe.source)
}

/** What keeps people out, by the rules of axe: its serious and critical findings, of all its rules or of those named. */
export function findBarriers(page: Page, rules?: readonly string[]): Promise<readonly Barrier[]> {
  return page.evaluate(async (only) => {
    const { axe: here } = globalThis as unknown as { readonly axe: typeof axe }
    const { violations } = await here.run(document, {
      resultTypes: ['violations'],
      ...(only && { runOnly: { type: 'rule', values: [...only] } }),
    })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => ({
        rule: id,
        nodes: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
      }))
  }, rules)
}
