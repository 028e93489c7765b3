import { openHome, openIndex, type SessionIndex } from '@treeline/store'
import { onTestFinished } from 'vitest'
import { glyphsFor } from '../../lists/glyphs.ts'
import type { PickerRow } from '../picker-row.ts'
import { headline } from '../picker-texts.ts'
import { SessionBrowser } from '../session-browser.ts'

/** One question to the index. */
interface Asked {
  readonly limit: number | undefined
  readonly got: number
}

/** A browser on the real index of a home, with a note of what it asks of it. */
export async function browseHome(folder: string, { cwd, height }: { readonly cwd: string; readonly height: number }) {
  const home = openHome({ home: folder })
  const index = await openIndex({ home, worker: false })
  await index.refresh()
  const lists: Asked[] = []
  const searches: Asked[] = []
  const noting: Pick<SessionIndex, 'list' | 'search'> = {
    async list(options) {
      const page = await index.list(options)
      lists.push({ limit: options?.limit, got: page.sessions.length })
      return page
    },
    async search(query, options) {
      const page = await index.search(query, options)
      searches.push({ limit: options?.limit, got: page.hits.length })
      return page
    },
  }
  const noted: SessionIndex = Object.assign(Object.create(index), noting)
  let look = () => {}
  const headlines: string[] = []
  const onNews = () => {
    headlines.push(headline(browser, glyphsFor(true)))
    look()
  }
  const browser = new SessionBrowser({ index: async () => noted, cwd, height, onNews })
  onTestFinished(async () => {
    browser.close()
    await index.close()
    home[Symbol.dispose]()
  })
  /** Waits until what was asked for has come; gives the rows by name. */
  const settled = () =>
    new Promise<readonly string[]>((resolve) => {
      look = () => {
        if (!browser.isReading) resolve(browser.rows.map(nameOf))
      }
      look()
    })
  browser.start()
  await settled()
  return { browser, settled, lists, searches, headlines }
}

export function nameOf(row: PickerRow): string {
  return row.type === 'session' ? (row.session.id ?? '?') : `hit ${row.hit.nodeId}`
}
