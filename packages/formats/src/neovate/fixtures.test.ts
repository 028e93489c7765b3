import { readFileSync } from 'node:fs'
import { Flag, listBranches, ROOT, type Tree } from '@treeline/core'
import { describe, expect, test } from 'vitest'
import { takeSample } from '../sample.ts'
import { hasShared, listFixtures, readExpected, SKIPPED } from '../testing/shared-fixtures.ts'
import { detectNeovate } from './detect.ts'
import { openTranslated, trunkIds, writeOut } from './testing/round-trip.ts'

interface Answer {
  readonly activePath?: readonly string[]
  readonly inactive?: readonly string[]
  readonly roots?: readonly string[]
  readonly leaves?: readonly string[]
  readonly sessionConfig?: Readonly<Record<string, unknown>>
}

const DEFAULTS = { approvalMode: 'default', approvalTools: [], pastedTextMap: {}, pastedImageMap: {} }
/** Parts of a line have ids made up by us. */
const isMadeUp = (id: string) => /\.r\d+$/.test(id)

describe.skipIf(!hasShared)(hasShared ? 'files of Neovate 0.17.1' : SKIPPED, () => {
  const files = listFixtures('neovate').map(([name, path]) => [name, path, readExpected(path) as Answer] as const)

  test.each(files)('N43 %s: the trunk is what Neovate itself resumes', async (_, path, answer) => {
    await using opened = await openTranslated(readFileSync(path))
    const { session } = opened
    if (answer.activePath === undefined) return
    expect(trunkIds(session).filter((id) => !isMadeUp(id))).toEqual(answer.activePath)
    const nodes = nodeIds(session.tree)
    const onTrunk = new Set(trunkIds(session))
    expect(nodes.filter((id) => !onTrunk.has(id) && !isMadeUp(id)).sort()).toEqual([...answer.inactive!].sort())
    expect(
      listBranches(session.tree)
        .map(({ leafId }) => leafId)
        .sort(),
    ).toEqual([...answer.leaves!].sort())
  })

  test.each(files)('N12 %s: the roots are those of the file', async (_, path, answer) => {
    await using opened = await openTranslated(readFileSync(path))
    const { tree } = opened.session
    const orphans = new Set(tree.problems().flatMap((problem) => (problem.type === 'orphan' ? [problem.id] : [])))
    const roots = tree.columns.children(ROOT).map((ref) => tree.ids.textOf(ref))
    if (answer.roots !== undefined) expect(roots.filter((id) => !orphans.has(id))).toEqual(answer.roots)
    else expect(roots.length).toBeGreaterThan(0)
  })

  test.each(files)('N30 %s: the settings are those Neovate reads', async (_, path, answer) => {
    await using opened = await openTranslated(readFileSync(path))
    expect(opened.session.config).toEqual({ ...DEFAULTS, ...answer.sessionConfig })
  })

  test.each(files)('%s is recognised by what is in it', (name, path) => {
    const bytes = readFileSync(path)
    expect(detectNeovate(takeSample(bytes, bytes.length))).toBeGreaterThanOrEqual(name.includes('unknown') ? 0.9 : 1)
  })

  test.each(files)('%s is written back as it was', async (_, path) => {
    const bytes = readFileSync(path)
    await using opened = await openTranslated(bytes)
    const { text, notes } = await writeOut(opened.session)
    const lines = bytes
      .toString()
      .split('\n')
      .map((line) => line.trim())
    expect(text.split('\n').filter(Boolean)).toEqual(lines.filter((line) => line.endsWith('}')))
    expect(notes).toEqual([])
  })

  test('X2 a torn tail is told of, with its place, and hides nothing', async () => {
    const [, path] = files.find(([name]) => name.includes('torn-tail'))!
    const bytes = readFileSync(path)
    await using opened = await openTranslated(bytes)
    expect(trunkIds(opened.session)).toEqual(['a', 'b'])
    const offset = bytes.lastIndexOf(0x0a) + 1
    expect(opened.translation.notes).toMatchObject([{ kind: 'damage', line: 3, offset, length: bytes.length - offset }])
  })

  test('X24 a ring of parents is cut and told of', async () => {
    const [, path] = files.find(([name]) => name.includes('cycle'))!
    await using opened = await openTranslated(readFileSync(path))
    expect(trunkIds(opened.session)).toEqual(['a', 'b'])
    expect(opened.translation.notes).toMatchObject([{ kind: 'info', message: expect.stringContaining('ring') }])
  })

  test('X25 a missing parent is told of', async () => {
    const [, path] = files.find(([name]) => name.includes('missing-parent'))!
    await using opened = await openTranslated(readFileSync(path))
    expect(opened.translation.notes).toMatchObject([{ kind: 'info', line: 2, id: 'c' }])
  })
})

function nodeIds(tree: Tree): string[] {
  const ids: string[] = []
  for (let row = 0; row < tree.rowCount; row++) {
    const ref = tree.refAtRow(row)
    if (tree.columns.has(ref, Flag.node)) ids.push(tree.ids.textOf(ref))
  }
  return ids
}
