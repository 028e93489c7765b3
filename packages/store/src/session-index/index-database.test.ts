import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTempHome } from '../testing/temp-home.ts'
import { ensureIndexFolder } from './index-database.ts'

test.each([0o000, 0o022, 0o777])('K5 the folder of the index is 0700 under umask %o', (mask) => {
  using temp = makeTempHome()
  const path = join(temp.outside, 'index', 'index.db')
  const umask = process.umask(mask)
  try {
    ensureIndexFolder(path)
  } finally {
    process.umask(umask)
  }
  expect((statSync(dirname(path)).mode & 0o777).toString(8)).toBe('700')
})
