import { appendFileSync } from 'node:fs'
import { openFileStore } from '@treeline/store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostileLine } from '../testing/arbitrary-lines.ts'
import { runs } from '../testing/runs.ts'
import { makeTempFolder, toText } from '../testing/temp-folder.ts'
import { importSession } from './import-session.ts'

// Beside a leaf that is still being generated nothing can be appended today.
const line = hostileLine.filter((one) => !JSON.stringify(one).includes('treeline/generation'))
const lines = fc.array(line, { minLength: 1, maxLength: 15 })

test('G1 any log can be imported; again, nothing comes; when it grew, what is new comes once', async () => {
  using temp = makeTempFolder()
  await using store = await openFileStore({ home: temp.home, durability: 'written' })
  let number = 0
  await fc.assert(
    fc.asyncProperty(lines, lines, async (first, more) => {
      const header = { type: 'session', version: 3, id: `s${number}`, timestamp: '2026-01-01T00:00:00.000Z', cwd: '/p' }
      const path = temp.plant(`${number++}.jsonl`, header, ...first)
      const { sessionId } = await importSession(store, path)
      expect(await importSession(store, path)).toMatchObject({ sessionId, isNew: false, added: 0 })
      appendFileSync(path, toText(more))
      const grown = await importSession(store, path)
      expect(grown).toMatchObject({ sessionId, isNew: false })
      expect(await importSession(store, path)).toMatchObject({ sessionId, isNew: false, added: 0 })
    }),
    { numRuns: runs(25) },
  )
})
