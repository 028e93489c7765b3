import { buildOpenApi } from '@treeline/protocol'
import type { Page } from '../door/page.ts'
import { docsPage } from './docs-page.ts'

/** Of the paths and their shapes: another one would live beside it. */
const API_VERSION = '1'

/** What the server says about itself, made when it is first asked for. */
let made: { readonly json: string; readonly page: Page } | undefined

export function serverDocument(): { readonly json: string; readonly page: Page } {
  if (made !== undefined) return made
  const document = buildOpenApi({ version: API_VERSION })
  made = { json: JSON.stringify(document), page: docsPage(document) }
  return made
}
