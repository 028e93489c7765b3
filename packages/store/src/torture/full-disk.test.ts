import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TreelineError } from '@treeline/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFileStore } from '../file-store.ts'
import { amount, isTorture, TIMEOUT } from './amounts.ts'
import { readAll } from './place-log.ts'
import { sampleDraft, saysTheSame } from './sample-entry.ts'

let disk: string | undefined

beforeAll(() => {
  if (isTorture) disk = mountSmallDisk()
})
afterAll(() => {
  if (disk === undefined) return
  execFileSync('/bin/umount', [disk])
  rmdirSync(disk)
})

function mountSmallDisk(): string | undefined {
  const dir = mkdtempSync(join(tmpdir(), 'treeline-full-'))
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', dir], { stdio: 'pipe' })
    return dir
  } catch {
    rmdirSync(dir)
    return undefined
  }
}

test.runIf(isTorture)(
  'R3, D3 a real disk runs full: nothing acknowledged is lost, and it goes on',
  TIMEOUT,
  async (context) => {
    if (disk === undefined) return context.skip('no tmpfs may be mounted here')
    for (let round = 0; round < amount(1, 50); round++) await fillDisk(disk, round)
  },
)

async function fillDisk(dir: string, round: number): Promise<void> {
  const ballast = join(dir, 'ballast')
  writeFileSync(ballast, Buffer.alloc(512 * 1024))
  const home = join(dir, `home${round}`)
  const kept: string[] = []
  const draft = (n: number) => sampleDraft(`r${round}n${n}`, 100 + ((n * 7919 + round * 131) % 40_000))
  let sessionId: string
  {
    await using store = await openFileStore({ home })
    await using session = await store.create({ cwd: '/work' })
    sessionId = session.id
    let n = 0
    for (; ; n++) {
      try {
        await session.append(draft(n))
        kept.push(draft(n).id!)
      } catch (error) {
        expect(error).toBeInstanceOf(TreelineError)
        expect((error as TreelineError).code).toBe('storage_full')
        break
      }
    }
    await expect(session.append(draft(n))).rejects.toMatchObject({ code: 'storage_full' })
    unlinkSync(ballast)
    for (const last = n + 3; n < last; n++) {
      await session.append(draft(n))
      kept.push(draft(n).id!)
    }
  }
  await using store = await openFileStore({ home })
  await using session = await store.open(sessionId)
  const entries = await readAll(session)
  expect(entries.map(({ id }) => id)).toEqual(kept)
  entries.forEach((entry, n) => void expect(saysTheSame(entry, draft(n))).toBe(true))
  expect(session.report()).toMatchObject({ skipped: [], notes: [], unreadable: [], problems: [] })
  rmSync(home, { recursive: true })
}
