import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { openHome } from '../home.ts'
import { trashSession } from '../house/trash.ts'
import { header, makeTempHome, message } from '../testing/temp-home.ts'
import { createBackup } from './backup.ts'
import { verifyBackup } from './verify-backup.ts'

test('N77 the only session comes back from the trash between the looks at both: it is in the backup', async () => {
  using temp = makeTempHome()
  using home = openHome(temp)
  const path = temp.plant('s', header('s'), message('hello', 'e1'))
  const { trashId } = await trashSession(home, path)
  let isBack = false
  const listDirsSync = (dir: string) => {
    const found = home.storage.listDirsSync(dir)
    // Sessions were looked at, and there were none.
    if (dir === home.paths.trash && !isBack) {
      isBack = true
      mkdirSync(join(path, '..'), { recursive: true })
      renameSync(join(home.paths.trashItem(trashId), 'sessions', basename(join(path, '..')), basename(path)), path)
      rmSync(home.paths.trashItem(trashId), { recursive: true })
      return []
    }
    return found
  }
  const { folder } = await createBackup({ ...home, storage: { ...home.storage, listDirsSync } }, temp.outside)
  expect(await verifyBackup(folder)).toMatchObject({ logCount: 1, isSound: true })
})
