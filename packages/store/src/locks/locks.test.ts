import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { homePaths } from '../paths.ts'
import { createFileLocks } from './file-locks.ts'
import type { SessionLocks } from './locks.ts'
import { createMemoryLocks } from './memory-locks.ts'

const MAKERS = {
  file: (home: string) => createFileLocks({ paths: homePaths(home) }),
  memory: () => createMemoryLocks(),
}

describe.each(Object.entries(MAKERS))('%s locks', (_name, make) => {
  let home: string
  let locks: SessionLocks
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'treeline-locks-'))
    locks = make(home)
  })
  afterEach(() => {
    locks.close()
    rmSync(home, { recursive: true })
  })

  test('free: the work is done before run returns', async () => {
    let done = false
    const result = locks.run('s', () => {
      done = true
      return 'result'
    })
    expect(done).toBe(true)
    expect(await result).toBe('result')
  })

  test('an error of the work comes through, and the lock is free again', async () => {
    const error = new Error('mine')
    await expect(
      locks.run('s', () => {
        throw error
      }),
    ).rejects.toBe(error)
    expect(await locks.run('s', () => 1)).toBe(1)
  })

  test('afterwards the lock is free again, and nobody was told yet', async () => {
    const order: string[] = []
    let nested: Promise<unknown> | undefined
    const afterwards = () => {
      nested = locks.run('s', () => order.push('nested'))
      order.push('afterwards')
    }
    await locks.run('s', () => order.push('work'), { afterwards }).then(() => order.push('told'))
    await nested
    expect(order).toEqual(['work', 'nested', 'afterwards', 'told'])
  })

  test('what is done afterwards is left out when the work fails, and what it throws comes through', async () => {
    const done: string[] = []
    const failing = () => {
      throw new Error('mine')
    }
    await expect(locks.run('s', failing, { afterwards: () => done.push('no') })).rejects.toThrow('mine')
    await expect(locks.run('s', () => done.push('yes'), { afterwards: failing })).rejects.toThrow('mine')
    let waited: Promise<unknown>[] = []
    await locks.run('s', () => {
      waited = [
        locks.run('s', failing, { afterwards: () => done.push('no') }),
        locks.run('s', () => done.push('waited'), { afterwards: failing }),
        locks.run('s', () => done.push('last')),
      ]
    })
    const results = await Promise.allSettled(waited)
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    expect(done).toEqual(['yes', 'waited', 'last'])
  })

  test('work begun inside other work waits for it, first come first served', async () => {
    const order: string[] = []
    let inner: Promise<unknown>[] = []
    await locks.run('s', () => {
      inner = ['b', 'c', 'd'].map((name) => locks.run('s', () => order.push(name)))
      order.push('a')
    })
    const late = locks.run('s', () => order.push('e'))
    await Promise.all([...inner, late])
    expect(order).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('an error of work that waited fails that work only', async () => {
    let waited: Promise<unknown>[] = []
    await locks.run('s', () => {
      waited = [1, 2, 3].map((n) =>
        locks.run('s', () => {
          if (n === 2) throw new Error('two')
          return n
        }),
      )
    })
    const results = await Promise.allSettled(waited)
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test('sessions that share a lock number do not clash', async () => {
    // So many that some do.
    const ids = Array.from({ length: 50 }, (_, n) => `session-${n}`)
    let inner: Promise<string>[] = []
    await locks.run('outer', () => {
      inner = ids.map((id) => locks.run(id, () => id))
    })
    expect(await Promise.all(inner)).toEqual(ids)
  })

  test('closed: new work is refused, what waited is done', async () => {
    let waited: Promise<number> | undefined
    await locks.run('s', () => {
      waited = locks.run('s', () => 1)
      locks.close()
    })
    expect(await waited).toBe(1)
    await expect(locks.run('s', () => 2)).rejects.toMatchObject({ code: 'internal' })
  })
})
