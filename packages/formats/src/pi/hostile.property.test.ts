import { openFileStore } from '@treeline/store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostileLine } from '../testing/arbitrary-lines.ts'
import { writeLines } from '../testing/collect.ts'
import { runs } from '../testing/runs.ts'
import { makeTempFolder } from '../testing/temp-folder.ts'
import { piWriter } from './write.ts'

test('G1 of any log a copy is made in which nobody hangs under itself, and nothing of ours is left', async () => {
  using temp = makeTempFolder()
  await using store = await openFileStore({ home: temp.home, durability: 'written' })
  let number = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(hostileLine, { maxLength: 25 }),
      fc.constantFrom('all', 'trunk'),
      async (lines, branches) => {
        const header = {
          type: 'session',
          version: 3,
          id: `s${number}`,
          timestamp: '2026-01-01T00:00:00.000Z',
          cwd: '/p',
        }
        await using session = await store.openPath(temp.plant(`${number++}.jsonl`, header, ...lines))
        const { entries, text } = await writeLines(piWriter, session, { branches })
        expect(text).not.toMatch(/"treeline\//)
        const parents = new Map(entries.map((entry) => [entry.id, entry.parentId]))
        for (const start of parents.keys()) {
          let steps = 0
          for (let at: string | null | undefined = start; typeof at === 'string'; at = parents.get(at)) {
            expect(steps++).toBeLessThanOrEqual(parents.size)
          }
        }
      },
    ),
    { numRuns: runs(100) },
  )
})
