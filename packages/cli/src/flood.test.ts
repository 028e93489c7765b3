import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callTreeline } from './testing/call-treeline.ts'
import { tempFolder } from './testing/run-treeline.ts'

const at = '"timestamp":"2026-01-02T03:04:05.000Z"'

/** So many sessions, each with a line that is no entry. */
function plant(folder: string, count: number): void {
  mkdirSync(folder, { recursive: true })
  for (let i = 0; i < count; i++) {
    const id = `019a0000-0000-7000-8000-${String(i).padStart(12, '0')}`
    const lines = [
      `{"type":"session","version":3,"id":"${id}",${at},"cwd":"/p"}`,
      `{"type":"message","id":"n${i}","parentId":null,${at},"message":{"role":"user","content":"Hi ${i}"}}`,
      'no entry',
    ]
    writeFileSync(join(folder, `2026-01-02T03-04-05-000Z_${id}.jsonl`), `${lines.join('\n')}\n`)
  }
}

test('what is done to thousands of sessions is told of a screenful, and the rest is counted', async () => {
  const cwd = tempFolder()
  const home = join(cwd, 'home')
  plant(join(cwd, 'theirs'), 23)
  const { stdout } = await callTreeline(['import', 'theirs'], { cwd, home })
  expect(stdout.match(/ new, 1 entry /g)).toHaveLength(20)
  expect(stdout).toContain('\nand 3 more sessions; --verbose shows all\nSessions: 23 new, ')

  plant(join(home, 'sessions/--p--'), 23)
  const checked = await callTreeline(['doctor'], { cwd, home })
  expect(checked.code).toBe(6)
  expect(checked.stdout.match(/^Damaged: .*\.jsonl$/gm)).toHaveLength(20)
  expect(checked.stdout).toContain('\nand 3 more sessions; all with --json\n')

  const names = Array.from({ length: 52 }, (_, i) => `./gone-${i}.jsonl`)
  const trashed = await callTreeline(['trash', ...names], { cwd, home })
  expect(trashed.code).toBe(3)
  expect(trashed.stderr.trim().split('\n')).toHaveLength(51)
  expect(trashed.stderr).toMatch(/\nMore failed; --json lists all\.\n$/)
})
