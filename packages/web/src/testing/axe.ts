import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Violation {
  readonly rule: string
  readonly nodes: readonly string[]
}

/**
 * What keeps people out, by the rules of axe: its serious and critical findings. The page must have been opened with
 * `bypassCSP`, because axe comes as a text to evaluate.
 */
export async function findBarriers(page: Page): Promise<readonly Violation[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { axe: run } = globalThis as unknown as { readonly axe: typeof import('axe-core') }
    const { violations } = await run.run(document, { resultTypes: ['violations'] })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => ({
        rule: id,
        nodes: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
      }))
  })
}
