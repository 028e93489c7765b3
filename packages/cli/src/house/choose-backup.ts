import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { TreelineError } from '@treeline/core'
import { counted } from '../output/amount.ts'
import { shellWord } from '../output/shell-word.ts'

const MANIFEST = 'manifest.json'

export function isBackup(folder: string): boolean {
  return existsSync(join(folder, MANIFEST))
}

/** One backup is meant, and none is chosen for anybody: in the folder of several the latest is named. */
export function refuseFolderOfBackups(folder: string): void {
  if (isBackup(folder)) return
  const backups = namesIn(folder).filter((name) => isBackup(join(folder, name)))
  const latest = backups.sort().at(-1)
  if (latest === undefined) return
  const message = `${folder} holds ${counted(backups.length, 'backup')} and is none itself. The latest: ${shellWord(join(folder, latest))}`
  throw new TreelineError('bad_request', message)
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // Whoever reads the backup says what is wrong with it.
    return []
  }
}
