import fc from 'fast-check'
import { expect, test } from 'vitest'
import { converse } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import type { Session } from '../session/session.ts'
import { runs } from '../testing/runs.ts'
import { makeTempHome } from '../testing/temp-home.ts'

/** What a log is read as, line by line. */
function readingOf({ tree }: Session): unknown {
  const { heads } = tree
  return Array.from({ length: heads.count }, (_, row) => ({
    id: tree.ids.textOf(tree.refAtRow(row)),
    place: [heads.offset[row], heads.lengthOf(row), heads.line[row], heads.timeMs[row]],
    is: [heads.kind[row], heads.role[row]],
    body: heads.bodies.get(row),
  }))
}

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud800', 'a\udfff', '\ufffd', '\u2028', '\0', '}{"', '"parentId":', '__proto__', 'crc'),
)
const number = fc.oneof(
  fc.double(),
  fc.constantFrom(-0, 2 ** 53 + 1, 1e21, 5e-324, Number.NaN, Number.POSITIVE_INFINITY),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'value' },
    text,
    number,
    fc.constantFrom(null, true, undefined),
    fc.array(tie('value'), { maxLength: 3, depthIdentifier: 'value' }),
    fc.dictionary(text, tie('value'), { maxKeys: 3, depthIdentifier: 'value' }),
  ),
}))

test('G3 whatever an edit says, the tree that wrote it is the one that its file is read as', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.dictionary(text, value, { maxKeys: 3 }), { minLength: 1, maxLength: 5 }),
      async (patches) => {
        using temp = makeTempHome()
        await using store = await openFileStore(temp)
        await using session = await store.create({ cwd: '/work' })
        await converse(session, 'one', 'two')
        const node = session.leafId!
        for (const patch of patches) {
          await session.setConfig(patch).catch(() => {})
          await session.edit({ operations: [{ op: 'meta', nodeId: node, patch }] }).catch(() => {})
          await session.undo().catch(() => {})
        }
        await using other = await openFileStore(temp)
        await using again = await other.open(session.id)
        expect(readingOf(session)).toStrictEqual(readingOf(again))
        expect(session.config).toStrictEqual(again.config)
        expect([...session.tree.edits.meta]).toStrictEqual([...again.tree.edits.meta])
      },
    ),
    { numRuns: runs(60) },
  )
})
