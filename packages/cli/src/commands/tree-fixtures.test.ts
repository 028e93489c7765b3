import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { hasShared, listShared, readExpected, SKIPPED, sharedPath } from '../testing/shared-fixtures.ts'

interface Theirs {
  readonly id: string | null
  readonly type?: string
  readonly label?: string
  readonly children?: readonly Theirs[]
}

const cwd = mkdtempSync(join(tmpdir(), 'treeline-cli-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

async function treeOf(name: string, ...words: readonly string[]) {
  const { code, json, stderr } = await callTreeline(['tree', sharedPath(name), '--json', ...words], { cwd })
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  return json() as { sessionId: string; leafId: string | null; roots: readonly Theirs[]; stash: readonly unknown[] }
}

/** Ids, labels and, where the tool says them, types; a row each, with its depth. */
function rowsOf(roots: readonly Theirs[], withTypes: boolean, withIds: boolean): unknown[] {
  const rows: unknown[] = []
  const open = roots.map((node) => ({ node, depth: 0 })).reverse()
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { node, depth } = item
    // Pi has a place for lines that are no records.
    if (node.id === null) continue
    rows.push([depth, withIds ? node.id : '', withTypes ? node.type : '', node.label ?? ''])
    for (const child of [...(node.children ?? [])].reverse()) open.push({ node: child, depth: depth + 1 })
  }
  return rows
}

/** Pi refuses, hangs, or shows entries twice. */
const PI_EXCEPTIONS = /^(15c|19b|20b|21b|22|22b|24|31d)-/

describe.skipIf(!hasShared)(hasShared ? 'fixtures' : SKIPPED, () => {
  test.each(listShared('pi').filter((name) => !PI_EXCEPTIONS.test(name)))(
    '%s: tree prints the tree of Pi, in its order',
    async (name) => {
      const { tree } = readExpected<{ readonly tree: { readonly ok: readonly Theirs[] } }>(`pi/${name}`)
      const { roots, stash } = await treeOf(`pi/${name}`)
      const hasIds = !name.includes('-v1-')
      expect(rowsOf(roots, false, hasIds)).toEqual(rowsOf(tree.ok, false, hasIds))
      expect(stash).toEqual([])
    },
  )

  test.each([
    'pi/22-duplicate-entry-line',
    'pi/22b-duplicate-id-different-content',
    'pi/24-self-parent-cycle',
    'xcsh/sessions/rename-append-race',
  ])('%s: where the tool shows entries twice or hangs, each is shown once (X20, X24)', async (name) => {
    const { entryIds } = readExpected<{ readonly entryIds: readonly string[] }>(name)
    const ids = rowsOf((await treeOf(name)).roots, false, true).map((row) => (row as string[])[1]!)
    expect(ids.sort()).toEqual([...new Set(entryIds)].sort())
  })

  /** xcsh empties or refuses these, loses the second record of a line, or shows an entry twice. */
  const lost = /^(header-(corrupt|id-)|assistant-without-usage|two-objects-one-line|rename-append-race)/
  test.each(listShared('xcsh/sessions').filter((name) => !lost.test(name)))(
    '%s: tree prints the tree of xcsh, with its types',
    async (name) => {
      const { tree } = readExpected<{ readonly tree: readonly Theirs[] }>(`xcsh/sessions/${name}`)
      const { roots } = await treeOf(`xcsh/sessions/${name}`)
      const hasIds = !name.startsWith('migrate-v1')
      expect(rowsOf(roots, true, hasIds)).toEqual(rowsOf(tree, true, hasIds))
    },
  )

  test('--filter default shows nodes only: messages and summaries', async () => {
    const types = rowsOf((await treeOf('xcsh/sessions/all-entry-types', '--filter', 'default')).roots, true, true)
    const shown = new Set(types.map((row) => (row as string[])[2]))
    expect([...shown].sort()).toEqual(['branch_summary', 'compaction', 'custom_message', 'message'])
  })
})
