import type { Entry } from '@treeline/core'
import { describe, expect, test } from 'vitest'
import { idsOf } from '../contract/look.ts'
import { openMemoryStore } from '../memory-store.ts'
import { homePaths } from '../paths.ts'
import { createMemoryStorage } from '../storage/memory-storage.ts'
import { createCrashStorage, seededRandom } from '../testing/crash-storage.ts'
import { createFaultyStorage } from '../testing/faulty-storage.ts'
import { FaultPlan } from '../testing/faulty-storage-plan.ts'

const TIME = '2020-02-03T04:05:06.789Z'
const paths = homePaths('/treeline')

/** The second has an image that becomes a blob; together they are more than one write. */
const entries: readonly Entry[] = Array.from({ length: 4 }, (_, i) => {
  const image = { type: 'image', data: Buffer.alloc(3000, 9).toString('base64'), mimeType: 'image/png' }
  const content = i === 1 ? [image] : 'x'.repeat(400_000)
  const parentId = i === 0 ? null : `e${i - 1}`
  return { type: 'message', id: `e${i}`, parentId, timestamp: TIME, message: { role: 'user', content, timestamp: 1 } }
})
const options = { id: 'it', cwd: '/p', entries, operations: [{ op: 'mute', nodeIds: ['e0'] }] } as const

describe('an import is there as a whole or not at all', () => {
  test('D4, R3 whichever call fails: it is told with a code, nothing of it is left, and it works the next time', async () => {
    const plan = new FaultPlan()
    await using counting = await openMemoryStore({ storage: createFaultyStorage(createMemoryStorage(), plan) })
    await counting.create(options)
    const count = plan.calls.filter(({ kind }) => kind === 'write' || kind === 'datasync').length
    expect(count).toBeGreaterThan(5)
    for (const code of ['ENOSPC', 'EIO']) {
      for (let nth = 1; nth <= count; nth++) {
        const memory = createMemoryStorage()
        const faults = new FaultPlan()
        await using store = await openMemoryStore({ storage: createFaultyStorage(memory, faults) })
        faults.arm({ nth, kinds: ['write', 'datasync'], outcome: { type: 'error', code }, lasts: 'until-healed' })
        const failure = await store.create(options).then(
          () => undefined,
          (error: unknown) => error,
        )
        if (!faults.hasStruck) continue
        const expected = code === 'ENOSPC' ? 'storage_full' : 'internal'
        expect(failure, `${code} ${nth}`).toMatchObject({ name: 'TreelineError', code: expected })
        expect(memory.listFilesSync(paths.sessionDir('/p'), '*'), `${code} ${nth}`).toEqual([])
        faults.heal()
        expect((await idsOf(await store.create(options))).slice(0, 4)).toEqual(['e0', 'e1', 'e2', 'e3'])
      }
    }
  })

  test('D1, D4 after a power cut it is there with its image and its edit, or there is no session', async () => {
    for (let crashAt = 1; ; crashAt++) {
      const disk = createCrashStorage({ crashAt })
      const store = await openMemoryStore({ storage: disk }).catch(() => undefined)
      const made = await store?.create(options).then(
        () => true,
        () => false,
      )
      for (const seed of [1, 2, 3]) {
        const after = await openMemoryStore({ storage: disk.crash(seededRandom(seed)) })
        const listed = (await after.list()).filter(({ id }) => id === 'it')
        if (made) expect(listed, `${crashAt}`).toHaveLength(1)
        for (const { path } of listed) {
          await using session = await after.openPath(path)
          expect((await idsOf(session)).slice(0, 4), `${crashAt}`).toEqual(['e0', 'e1', 'e2', 'e3'])
          expect((await session.line()).nodes[0], `${crashAt}`).toMatchObject({ nodeId: 'e0', in: false })
          expect((await session.readFull('e1'))!.unresolved, `${crashAt}`).toEqual([])
        }
        await after.close()
      }
      if (!disk.isStopped) break
    }
  })
})
