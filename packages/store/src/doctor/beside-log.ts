import { basename, dirname } from 'node:path'
import type { SessionStorage } from '../storage/storage.ts'
import { isTempName, TEMP_AGE_MS } from './file-mode.ts'
import type { Finding } from './finding.ts'
import { makeFinding } from './finding.ts'

/** What earlier writes, migrations and repairs of a log left beside it. */
export function findBeside(storage: SessionStorage, path: string, now = Date.now()): Finding[] {
  const found: Finding[] = []
  for (const other of storage.listFilesSync(dirname(path), `${basename(path)}.*`)) {
    if (!isTempName(other)) found.push(makeFinding('kept_original', { path: other }))
    else {
      const isOld = storage.existsSync(other) && now - storage.statSync(other).mtimeMs > TEMP_AGE_MS
      found.push(makeFinding(isOld ? 'old_temp_file' : 'temp_file', { path: other }))
    }
  }
  return found
}
