import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { errnoOf } from '../storage-error.ts'
import type { StorageDriver } from './storage-driver.ts'
import { writeAll } from './write-all.ts'

/** Readers see the old text or the new one, whole; after this returns, the new one also after power loss. */
export function replaceTextSync(driver: StorageDriver, path: string, text: string): void {
  const temp = tempPath(path)
  const file = driver.open(temp, 'wx')
  try {
    try {
      writeAll(file, Buffer.from(text))
      file.datasyncSync()
    } finally {
      file.closeSync()
    }
    driver.renameSync(temp, path)
  } catch (error) {
    removeTemp(driver, temp, error)
    throw error
  }
  driver.syncDirSync(dirname(path))
}

/** As `replaceTextSync`, with the waiting for the disk off this thread. */
export async function replaceText(driver: StorageDriver, path: string, text: string): Promise<void> {
  const temp = tempPath(path)
  const file = driver.open(temp, 'wx')
  try {
    try {
      writeAll(file, Buffer.from(text))
      await file.datasync()
    } finally {
      file.closeSync()
    }
    await driver.rename(temp, path)
  } catch (error) {
    removeTemp(driver, temp, error)
    throw error
  }
  await driver.syncDir(dirname(path))
}

function tempPath(path: string): string {
  return join(dirname(path), `.${randomBytes(12).toString('hex')}.tmp`)
}

/** The first failure is the one to report: a second, of cleaning up, goes along as its cause. */
function removeTemp(driver: StorageDriver, temp: string, failure: unknown): void {
  try {
    driver.unlinkSync(temp)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return
    if (failure instanceof Error) failure.cause ??= error
  }
}
