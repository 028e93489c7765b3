import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Ran, runTreeline } from '../testing/run-treeline.ts'
import { type SampleHome, sampleHome } from '../testing/sample-home.ts'

type Done = (...words: readonly string[]) => Promise<Ran>

function runner({ home, cwd }: SampleHome): Done {
  return async (...words) => {
    const ran = await runTreeline([...words, '--json'], { home, cwd })
    expect(ran, words.join(' ')).toMatchObject({ code: 0 })
    return ran
  }
}

// The many cases of each command are beside its logic; this is that each does its work as a program. Those that do not
// build on each other run side by side, each lot in a home of its own.
test('every command that changes, keeps or moves sessions works in the built program', async () => {
  const [edited, moved, kept] = [await sampleHome(), await sampleHome(), await sampleHome()]
  await Promise.all([edit(edited.id, runner(edited)), move(moved, runner(moved)), keep(kept, runner(kept))])
})

async function edit(id: string, done: Done): Promise<void> {
  expect((await done('mute', id, 'ask00003')).json().changedIds).toEqual(['ask00003'])
  expect((await done('undo', id)).json().changed).toBe(true)
  expect((await done('redo', id)).json().changed).toBe(true)
  expect((await done('unmute', id, 'ask00003')).json().changed).toBe(true)
  expect((await done('prune', id, 'ask00002', '--self')).json().stashed).toHaveLength(1)
  expect((await done('graft', id, 'ask00002', 'rep00003')).json().changed).toBe(true)
  expect((await done('switch', id, 'rep00002')).json().leafId).toBe('rep00002')
  expect((await done('label', id, 'leaf', 'end')).json().changedIds).toEqual(['rep00002'])
  expect((await done('rename', id, 'A name')).json().name).toBe('A name')
}

async function move({ id, cwd }: SampleHome, done: Done): Promise<void> {
  const at = '"timestamp":"2026-01-02T03:04:05Z"'
  const torn = [
    `{"type":"session","version":3,"id":"torn",${at},"cwd":"/x"}`,
    `{"type":"message","id":"one","parentId":null,${at},"message":{"role":"user","content":"Hi"}}`,
    '{"typ',
  ]
  writeFileSync(join(cwd, 'torn.jsonl'), torn.join('\n'))
  expect((await done('export', id, '-o', 'x.html')).json().format).toBe('html')
  expect((await done('import', 'torn.jsonl')).json().imported).toMatchObject([{ isNew: true, added: 1 }])
  expect((await done('repair', 'torn.jsonl')).json().entryCount).toBe(1)
  expect((await done('completion', 'fish')).json().script).toContain('complete -c treeline')
}

async function keep({ id, home, cwd }: SampleHome, done: Done): Promise<void> {
  const fork = (await done('fork', id, '--node', 'rep00001')).json()
  const { backup } = (await done('backup', 'kept', '--verify')).json()
  const trashed = (await done('trash', fork.sessionId)).json()
  expect((await done('restore', trashed.trashed[0].trashId)).json().restored).toHaveLength(1)
  expect((await done('restore-backup', backup.folder, '--dry-run')).json().counts.restore).toBe(0)
  expect((await done('gc')).json().totals.logs).toBeGreaterThan(0)
  expect((await done('purge')).json().items).toEqual([])
  const secret = await runTreeline(['scrub', '--stdin', '--yes', '--json'], { home, cwd, stdin: 'nobody caught' })
  expect(secret.json().done.left).toEqual([])
}
