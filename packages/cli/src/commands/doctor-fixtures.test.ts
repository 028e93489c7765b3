import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeLog } from '@treeline/core'
import { afterAll, describe, expect, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { hasShared, listShared, SKIPPED, sharedPath } from '../testing/shared-fixtures.ts'

interface Report {
  readonly ok: boolean
  readonly entries: number
  readonly damage: readonly { readonly offset: number; readonly length: number; readonly line: number }[]
  readonly warnings: readonly { readonly reason: string; readonly message: string }[]
}

const cwd = mkdtempSync(join(tmpdir(), 'treeline-cli-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

async function check(name: string): Promise<Report> {
  const before = readFileSync(sharedPath(name))
  const { code, json } = await callTreeline(['doctor', sharedPath(name), '--json'], { cwd })
  const report: Report = json()
  expect(Object.keys(report)).toEqual(['ok', 'entries', 'damage', 'warnings'])
  expect(report.ok).toBe(report.damage.length === 0)
  expect(code).toBe(report.ok ? 0 : 6)
  for (const { reason, message } of report.warnings) expect([reason, message]).not.toContain(undefined)
  expect(readFileSync(sharedPath(name)).equals(before)).toBe(true)
  return report
}

const named = (folder: string) => listShared(folder).map((name) => `${folder}/${name}`)
/** Not in the bytes of the file: large values that are missing, a header that is not there, nothing at all. */
const BESIDE_BYTES = /missing-blob$|header-id-|header-second|20b?-|header-corrupt/

describe.skipIf(!hasShared)(hasShared ? 'fixtures' : SKIPPED, () => {
  test.each([...named('pi'), ...named('xcsh/sessions'), ...named('omp18/sessions')])(
    'I2 %s: doctor finds every range of bytes that is no entry, and no other',
    async (name) => {
      const { entries, damage } = await check(name)
      const decoded = decodeLog(readFileSync(sharedPath(name)))
      const skipped = decoded.skipped.filter(({ severity }) => severity === 'damage')
      const places = damage.map(({ offset, length, line }) => ({ offset, length, line }))
      for (const { offset, length, line } of skipped) expect(places).toContainEqual({ offset, length, line })
      if (!BESIDE_BYTES.test(name)) expect(places).toHaveLength(skipped.length)
      expect(entries).toBe(decoded.records.length)
    },
  )

  test.each(named('neovate'))('I2 %s: only the file that was cut short is damaged', async (name) => {
    const { ok, entries } = await check(name)
    expect(ok).toBe(!name.endsWith('torn-tail'))
    expect(entries).toBeGreaterThan(0)
  })
})
