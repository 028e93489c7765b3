import { readFileSync } from 'node:fs'
import { checkCrc, decodeLog, type Entry, type EntryDraft } from '@treeline/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { runs } from '../testing/runs.ts'
import { makeTempHome } from '../testing/temp-home.ts'
import type { Session } from './session.ts'

/** All that a tree has of its rows, and where they hang. */
function readingOf({ tree }: Session): unknown {
  const { heads, ids, columns } = tree
  return Array.from({ length: heads.count }, (_, row) => {
    const ref = tree.refAtRow(row)
    return {
      id: ids.textOf(ref),
      place: [heads.offset[row], heads.lengthOf(row), heads.line[row], heads.timeMs[row]],
      is: [heads.kind[row], heads.role[row], columns.flags[ref]],
      under: [ids.textOf(columns.parent[ref]!), ids.textOf(columns.rawParent[ref]!), columns.indexOf(ref)],
    }
  })
}

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud800', 'é\udfff', '\u2028', '\0', '"}{"type":"', '"parentId":', '\n', '漢字', '__proto__'),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'value' },
    text,
    fc.double(),
    fc.constantFrom(null, true, undefined),
    fc.array(tie('value'), { maxLength: 3, depthIdentifier: 'value' }),
    fc.dictionary(fc.oneof(text, fc.constantFrom('data', 'partialJson', 'toJSON', 'role')), tie('value'), {
      maxKeys: 3,
    }),
  ),
}))
const role = fc.oneof(fc.constantFrom('user', 'assistant', 'toolResult', 'nobody', '', 'a"b'), value)
const message = fc.oneof(
  fc.record({ role, content: value }),
  fc.record({ content: value, role }),
  fc.dictionary(text, value),
)

test('G3 I1 whatever a message says, the quick way leaves the tree that its file is read as, and its line is sealed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 12 }), async (messages) => {
      using temp = makeTempHome()
      await using store = await openFileStore({ ...temp, durability: 'written' })
      await using session = await store.create({ cwd: '/work' })
      const drafts: EntryDraft[] = messages.map((said) => ({ type: 'message', message: said }))
      const appended = await Promise.all(drafts.map((draft) => session.append(draft).catch(() => undefined)))
      await using other = await openFileStore(temp)
      await using again = await other.open(session.id)
      expect(readingOf(session)).toStrictEqual(readingOf(again))
      expect(session.leafId).toBe(again.leafId)
      const kept = appended.filter((entry) => entry !== undefined)
      const stored = await again.readEntries(kept.map(({ id }) => id))
      expect(stored).toEqual(kept.map((entry) => JSON.parse(JSON.stringify(entry)) as Entry))
      const bytes = readFileSync(session.path)
      expect(decodeLog(bytes)).toMatchObject({ skipped: [], notes: [] })
      for (const line of bytes.toString('latin1').split('\n').slice(0, -1)) {
        expect(checkCrc(Buffer.from(line, 'latin1'))).toBe('ok')
      }
    }),
    { numRuns: runs(60) },
  )
})

test('a message is kept as it was when it was handed over, and comes back so', async () => {
  using temp = makeTempHome()
  await using store = await openFileStore(temp)
  await using session = await store.create()
  const message: Record<string, unknown> = { role: 'user', content: 'before' }
  const appending = session.append({ type: 'message', message })
  message.content = 'after'
  const entry = await appending
  expect(entry.message).toEqual({ role: 'user', content: 'before' })
  expect((await session.readEntry(entry.id))?.message).toEqual({ role: 'user', content: 'before' })
})

test('where the quick way does not do, the long one is gone: a cut part, an answer that is being generated', async () => {
  using temp = makeTempHome()
  await using store = await openFileStore(temp)
  await using session = await store.create()
  const first = await session.append(user('first'))
  const cut = await session.append(user('cut'))
  await session.edit({ operations: [{ op: 'prune', nodeId: first.id }] })
  const after = await session.append(user('after'))
  const { ids, columns } = session.tree
  expect(columns.parent[ids.find(after.id)]).toBe(ids.find(first.id))
  expect(columns.isAttached(ids.find(cut.id))).toBe(false)
  const nodeId = '000000aa'
  await session.append({
    type: 'custom',
    customType: 'treeline/generation',
    data: { nodeId, parentId: session.leafId },
  })
  await expect(session.append(user('too early'))).rejects.toMatchObject({ code: 'parent_generating' })
})
