import { execFileSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFileStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { findNode } from './node-of.ts'
import { callTreeline } from './testing/call-treeline.ts'
import { sampleHome } from './testing/sample-home.ts'

test('a node is meant by its id, a part of it, its label or `leaf`, and nothing is guessed', async () => {
  const { home, sessionId } = await sampleHome()
  await using store = await openFileStore({ home })
  await using session = await store.open(sessionId)
  await session.setLabel('rep00002', 'detour')
  const find = (text: string) => findNode(session, text, 'x')
  expect(['ask00001', 'rep00003', '0003'.padStart(8, 'rep0')].map(find)).toEqual(['ask00001', 'rep00003', 'rep00003'])
  expect(find('leaf')).toBe('rep00003')
  expect(find('detour')).toBe('rep00002')
  expect(find('ask00002'.slice(0, 8))).toBe('ask00002')
  expect(() => find('rep')).toThrow('3 nodes fit "rep": rep00001, rep00002, rep00003. Give more of the id.')
  expect(() => find('k')).toThrow('There is no node "k"')
  expect(() => find('')).toThrow('There is no node ""')
})

test('R2 who names a node that is not there is told a command that shows the ids, as it can be pasted', async () => {
  const { id, path, ...at } = await sampleHome()
  const copy = join(at.cwd, "it's mine.jsonl")
  copyFileSync(path, copy)
  const named: Readonly<Record<string, (file: string) => readonly string[]>> = {
    show: (file) => [file, 'nowhere'],
    'show --leaf': (file) => [file, '--leaf', 'nowhere'],
    line: (file) => [file, '--leaf', 'nowhere'],
    context: (file) => [file, '--leaf', 'nowhere'],
    diff: (file) => [file, 'leaf', 'nowhere'],
    export: (file) => [file, '--leaf', 'nowhere', '-o', 'x.md'],
    fork: (file) => [file, '--node', 'nowhere'],
    mute: (file) => [file, 'nowhere', '--in-place'],
    label: (file) => [file, 'nowhere', 'x', '--in-place'],
    prune: (file) => [file, 'nowhere', '--in-place'],
    switch: (file) => [file, 'nowhere', '--in-place'],
    graft: (file) => [file, 'leaf', 'root', '--before', 'nowhere', '--in-place'],
  }
  for (const [name, wordsOf] of Object.entries(named)) {
    for (const file of [id, copy, "./it's mine.jsonl"]) {
      const refused = await callTreeline([name.split(' ')[0]!, ...wordsOf(file)], at)
      expect(refused, name).toMatchObject({ code: 3, stderr: expect.stringContaining('There is no node "nowhere"') })
      const [, command] = /`treeline (.*)`/.exec(refused.stderr.replaceAll('\n', ' '))!
      const words = execFileSync('bash', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
        .trimEnd()
        .split('\n')
      expect(words, name).toEqual(['tree', file])
      expect(await callTreeline(words, at)).toMatchObject({ code: 0, stdout: expect.stringContaining('rep00003') })
    }
  }
})

test('R2 a session that cannot be found or changed is refused with what to do', async () => {
  const { id, path, ...at } = await sampleHome()
  const none = await callTreeline(['mute', 'ffffffff', 'ask00001'], at)
  expect(none).toMatchObject({ code: 3, stderr: expect.stringContaining('treeline ls') })
  const gone = await callTreeline(['mute', './nothere.jsonl', 'ask00001'], at)
  expect(gone).toMatchObject({ code: 3, stderr: expect.stringContaining('nothere.jsonl') })
  const latest = await callTreeline(['fork', '--json'], at)
  expect(latest.json().leafId).toBe('rep00003')
  const elsewhere = await callTreeline(['fork'], { ...at, cwd: '/' })
  expect(elsewhere).toMatchObject({ code: 3, stderr: expect.stringContaining('`treeline ls --all` shows all') })
})
