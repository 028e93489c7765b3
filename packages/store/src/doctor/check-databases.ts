import type { Home } from '../home.ts'
import { openDatabase } from '../sqlite.ts'
import { modeOf } from './file-mode.ts'
import type { FindingCode, Findings } from './finding.ts'

/** The index is derived and will be made again (I6). The history is not. Neither is made when it is missing. */
export function checkDatabases({ paths }: Home, findings: Findings, deep: boolean): void {
  look(paths.indexFile, 'SELECT count(*) FROM files', 'index_unusable', findings, false)
  look(paths.historyFile, 'SELECT count(*) FROM history', 'history_unusable', findings, deep)
}

function look(path: string, query: string, code: FindingCode, findings: Findings, deep: boolean): void {
  if (modeOf(path)?.kind !== 'file') return
  try {
    const database = openDatabase(path, { readOnly: true, timeout: 1000 })
    try {
      database.prepare(query).get()
      const pages = deep ? database.prepare('PRAGMA quick_check(1)').get() : { quick_check: 'ok' }
      if (pages?.quick_check !== 'ok') findings.add(code, { path, detail: String(pages?.quick_check) })
    } finally {
      database.close()
    }
  } catch (error) {
    findings.add(code, { path, detail: error instanceof Error ? error.message : String(error) })
  }
}
