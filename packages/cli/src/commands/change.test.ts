import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Ran, runTreeline } from '../testing/run-treeline.ts'
import { sampleHome } from '../testing/sample-home.ts'

// The many cases of each command are beside its logic; this is that each does its work as a program.
test('every command that changes, keeps or moves sessions works in the built program', async () => {
  const { id, path, ...at } = await sampleHome()
  const done = async (...words: readonly string[]): Promise<Ran> => {
    const ran = await runTreeline([...words, '--json'], at)
    expect(ran, words.join(' ')).toMatchObject({ code: 0 })
    return ran
  }
  expect((await done('mute', id, 'ask00003')).json().changedIds).toEqual(['ask00003'])
  expect((await done('undo', id)).json().changed).toBe(true)
  expect((await done('redo', id)).json().changed).toBe(true)
  expect((await done('unmute', id, 'ask00003')).json().changed).toBe(true)
  expect((await done('prune', id, 'ask00002', '--self')).json().stashed).toHaveLength(1)
  expect((await done('graft', id, 'ask00002', 'rep00003')).json().changed).toBe(true)
  expect((await done('switch', id, 'rep00002')).json().leafId).toBe('rep00002')
  expect((await done('label', id, 'leaf', 'end')).json().changedIds).toEqual(['rep00002'])
  expect((await done('rename', id, 'A name')).json().name).toBe('A name')
  const fork = (await done('fork', id, '--node', 'rep00001')).json()
  expect((await done('export', id, '-o', 'x.html')).json().format).toBe('html')
  writeFileSync(
    join(at.cwd, 'torn.jsonl'),
    '{"type":"session","version":3,"id":"torn","timestamp":"2026-01-02T03:04:05Z","cwd":"/x"}\n',
  )
  appendFileSync(
    join(at.cwd, 'torn.jsonl'),
    '{"type":"message","id":"one","parentId":null,"timestamp":"2026-01-02T03:04:05Z","message":{"role":"user","content":"Hi"}}\n{"typ',
  )
  expect((await done('import', 'torn.jsonl')).json().imported).toMatchObject([{ isNew: true, added: 1 }])
  expect((await done('repair', 'torn.jsonl')).json().entryCount).toBe(1)
  const { backup } = (await done('backup', 'kept', '--verify')).json()
  const trashed = (await done('trash', fork.sessionId)).json()
  expect((await done('restore', trashed.trashed[0].trashId)).json().restored).toHaveLength(1)
  expect((await done('restore-backup', backup.folder, '--dry-run')).json().counts.restore).toBe(0)
  expect((await done('gc')).json().totals.logs).toBeGreaterThan(0)
  expect((await done('purge')).json().items).toEqual([])
  expect((await done('completion', 'fish')).json().script).toContain('complete -c treeline')
  const secret = await runTreeline(['scrub', '--stdin', '--yes', '--json'], { ...at, stdin: 'nobody caught' })
  expect(secret.json().done.left).toEqual([])
})
