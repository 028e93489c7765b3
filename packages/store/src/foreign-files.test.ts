import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { Flag, lineOf, ROOT, readLog, type Tree } from '@treeline/core'
import { describe, expect, test } from 'vitest'
import { collect, entriesOf, lookAt, trunkOf } from './contract/look.ts'
import { user } from './contract/say.ts'
import { openFileStore } from './file-store.ts'
import type { Session } from './session/session.ts'
import { hasShared, listLogs, SKIPPED } from './testing/shared-fixtures.ts'
import { makeTempHome } from './testing/temp-home.ts'

const logs = listLogs('pi', 'xcsh/sessions', 'omp18/sessions')

describe.skipIf(!hasShared)(hasShared ? 'logs of Pi, xcsh and oh-my-pi' : SKIPPED, () => {
  test.each(logs)('I4 %s is read where it is as core reads it, and stays as it is', async (_name, path) => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const bytes = readFileSync(path)
    const { mtimeNs } = statSync(path, { bigint: true })
    const session = await store.openPath(path)
    const log = readLog(bytes)
    if (log.header !== undefined) expect(session.header).toEqual(log.header)
    expect(session.access).toEqual({ mode: 'read', reason: 'foreign' })
    expect(lookAt(session.tree)).toEqual(lookAt(log.tree))
    const refs = knownRefs(log.tree)
    const stored = await session.readEntries(refs.map((ref) => log.tree.ids.textOf(ref)))
    expect(stored).toEqual(refs.map((ref) => log.readEntry(ref)))
    expect(await session.line()).toEqual(lineOf(log))
    await collect(session.entries())
    const torn = log.skipped.find(({ reason }) => reason === 'torn')
    expect(session.report()).toMatchObject({
      skipped: log.skipped.filter((range) => range !== torn),
      tornAt: torn?.offset,
    })
    expect(session.report().problems).toEqual(log.tree.problems())
    for (const { line, offset, length } of session.report().skipped) {
      expect(line).toBeGreaterThan(0)
      expect(offset + length).toBeLessThanOrEqual(bytes.length)
    }
    await session.close()
    expect(readFileSync(path).equals(bytes)).toBe(true)
    expect(statSync(path, { bigint: true }).mtimeNs).toBe(mtimeNs)
  })

  test.each(logs)(
    'I4, I5 %s in our home is continued without losing a byte, or refused with a code',
    async (_name, path) => {
      using temp = makeTempHome()
      const own = temp.plant('fixture')
      writeFileSync(own, readFileSync(path))
      const bytes = readFileSync(path)
      await using store = await openFileStore(temp)
      const session = await store.openPath(own)
      const before = { trunk: trunkOf(session), count: (await entriesOf(session)).length, words: await words(session) }
      if (session.access.mode === 'read') {
        const refusal = await session.append(user('x')).catch((error: unknown) => error)
        expect(refusal).toMatchObject({ name: 'TreelineError', code: 'session_locked' })
        if (session.access.reason === 'damaged') {
          expect(refusal).toMatchObject({ details: { line: expect.any(Number), offset: expect.any(Number) } })
        }
        expect(readFileSync(own).equals(bytes)).toBe(true)
        return
      }
      const added = await session.append(user('goes on'))
      const { version } = readLog(bytes).tree.options
      const kept = version < 3 ? readFileSync(`${own}.v${version}`) : readFileSync(own).subarray(0, bytes.length)
      expect(kept.equals(bytes)).toBe(true)
      await using other = await openFileStore(temp)
      const again = await other.openPath(own)
      expect(trunkOf(again)).toEqual([...before.trunk, added.id])
      expect(await entriesOf(again)).toHaveLength(before.count + 1)
      expect((await words(again)).slice(0, before.words.length - 1)).toEqual(before.words.slice(0, -1))
    },
  )

  test.each(logs)('%s is forked with its line', async (_name, path) => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const session = await store.openPath(path)
    const fork = await store.fork(session)
    expect(await fork.line()).toEqual(await session.line())
    expect(fork.access).toEqual({ mode: 'write' })
    await fork.append(user('goes on', 'mine'))
    const whole = await store.fork(session, { how: 'whole' })
    expect(await whole.line()).toEqual(await session.line())
    expect(lookAt(whole.tree)).toEqual(lookAt(session.tree))
  })
})

function knownRefs({ ids, columns }: Tree): number[] {
  const refs = Array.from({ length: ids.count - 1 }, (_, i) => i + 1)
  return refs.filter((ref) => ref > ROOT && columns.has(ref, Flag.known))
}

async function words(session: Session): Promise<string[]> {
  return (await session.line()).messages.map(({ role, content }) => `${role} ${JSON.stringify(content)}`)
}
