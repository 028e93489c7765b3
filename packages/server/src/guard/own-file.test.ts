import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { makeTempCredentials } from '../testing/temp-credentials.ts'

interface Place {
  readonly is: string
  readonly code: 'forbidden' | 'damaged'
  move(path: string): void
}

const places: readonly Place[] = [
  { is: 'a link', code: 'forbidden', move: link },
  {
    is: 'a link to nothing',
    code: 'forbidden',
    move(path) {
      link(path)
      rmSync(`${path}.old`)
    },
  },
  {
    is: 'a folder',
    code: 'damaged',
    move(path) {
      rmSync(path)
      mkdirSync(path, 0o700)
    },
  },
  {
    is: 'a pipe',
    code: 'damaged',
    move(path) {
      rmSync(path)
      expect(spawnSync('sh', ['-c', 'mkfifo -m 600 "$0"', path]).status).toBe(0)
    },
  },
  { is: 'readable by others', code: 'forbidden', move: (path) => chmodSync(path, 0o604) },
  { is: 'writable by the group', code: 'forbidden', move: (path) => chmodSync(path, 0o620) },
  { is: 'in a folder that others can change', code: 'forbidden', move: (path) => chmodSync(dirname(path), 0o722) },
  { is: 'in a folder that is a link', code: 'forbidden', move: (path) => link(dirname(path)) },
]

test.each(places)('K5 a file that is $is is not relied on, and says so', async ({ code, move }) => {
  using at = makeTempCredentials()
  const credentials = at.open()
  const secret = await credentials.createToken({ name: 'ci', scope: 'admin' })
  move(at.file)
  const refused = expect.objectContaining({ code, message: expect.stringContaining(dirname(at.file)) })
  expect(credentials.findToken(secret)).toBeUndefined()
  expect(at.failures).toEqual([refused])
  expect(() => at.open()).toThrow(refused)
  await expect(credentials.createToken({ name: 'new', scope: 'read' })).rejects.toEqual(refused)
})

test.runIf(process.geteuid?.() === 0)('K5 a file that belongs to another user is not relied on', async () => {
  using at = makeTempCredentials()
  const credentials = at.open()
  const secret = await credentials.createToken({ name: 'ci', scope: 'admin' })
  chownSync(at.file, 12_345, 12_345)
  expect(credentials.findToken(secret)).toBeUndefined()
  expect(at.failures).toMatchObject([{ code: 'forbidden', message: expect.stringContaining('another user') }])
})

/** The same content, somewhere else. */
function link(path: string): void {
  renameSync(path, `${path}.old`)
  symlinkSync(`${path}.old`, path)
}
