import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFileStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { tempFolder } from '../testing/run-treeline.ts'
import { said } from '../testing/sample-home.ts'

/** A session as Pi keeps it. */
function piSession(id: string, ...texts: readonly string[]): string {
  const header = { type: 'session', version: 3, id, timestamp: '2026-01-02T03:04:05.000Z', cwd: '/some/project' }
  const entries = texts.map((text, i) => said(`${id}-${i}`, i === 0 ? null : `${id}-${i - 1}`, 'user', text))
  return [header, ...entries].map((record) => `${JSON.stringify(record)}\n`).join('')
}

test('a folder of sessions is taken in: new, then nothing new, then what was added; the files stay', async () => {
  const cwd = tempFolder()
  mkdirSync(join(cwd, 'theirs/deep'), { recursive: true })
  const [one, two] = [join(cwd, 'theirs/one.jsonl'), join(cwd, 'theirs/deep/two.jsonl')]
  writeFileSync(one, piSession('aaaa-1', 'Hello', 'Again'))
  writeFileSync(two, piSession('bbbb-2', 'Other'))
  writeFileSync(join(cwd, 'theirs/package.json'), '{"name":"no session"}')
  writeFileSync(join(cwd, 'theirs/zero.jsonl'), piSession('zero-0'))
  const first = await callTreeline(['import', 'theirs', '--json'], { cwd })
  expect(first.stderr).toBe('')
  expect(first.json().imported).toMatchObject([
    { source: one, isNew: true, added: 2, format: 'pi' },
    { source: two, isNew: true, added: 1 },
  ])
  expect(first.json().passedOver).toEqual(['package.json', 'zero.jsonl'].map((name) => join(cwd, 'theirs', name)))
  const second = await callTreeline(['import', 'theirs'], { cwd })
  expect(second.stdout).toBe(
    'Sessions: 0 new, 0 with more than before, 2 with nothing new, 2 files passed over, empty or no sessions.\n' +
      'Look at them: treeline ls --all --tool treeline\n',
  )
  appendFileSync(one, `${JSON.stringify(said('aaaa-1-2', 'aaaa-1-1', 'user', 'More'))}\n`)
  const bytes = readFileSync(one)
  const third = await callTreeline(['import', one], { cwd })
  expect(third.stdout).toMatch(/^\w{8} {2}1 entry added {2}pi {2}.*one\.jsonl\nSessions: 0 new, 1 with more/)
  expect(readFileSync(one)).toEqual(bytes)
  await using store = await openFileStore({ home: join(cwd, '.treeline-home') })
  await using session = await store.open(first.json().imported[0].sessionId)
  expect(session.leafId).toBe('aaaa-1-2')
  expect(session.header).toMatchObject({ parentSession: 'aaaa-1', cwd: '/some/project' })
})

test('a document over several lines in a folder is no empty file', async () => {
  const cwd = tempFolder()
  mkdirSync(join(cwd, 'trees'))
  const node = {
    id: 'n1',
    parentId: null,
    childrenIds: [],
    role: 'user',
    content: 'Hi',
    timestamp: '2026-01-02T03:04:05Z',
  }
  const tree = { id: 'tree-1', title: 'T', rootId: 'n1', activeLeafId: 'n1', nodes: { n1: node } }
  writeFileSync(join(cwd, 'trees/tree.json'), JSON.stringify(tree, null, 2))
  const ran = await callTreeline(['import', 'trees', '--json'], { cwd })
  expect(ran.json()).toMatchObject({ imported: [{ format: 'comfytavern', isNew: true }], passedOver: [] })
})

test('I7 one bad file keeps no other from being taken in, and the exit code says so', async () => {
  const cwd = tempFolder()
  writeFileSync(join(cwd, 'good.jsonl'), piSession('cccc-3', 'Hello'))
  writeFileSync(join(cwd, 'empty.jsonl'), '')
  const ran = await callTreeline(['import', 'nothere.jsonl', 'empty.jsonl', 'good.jsonl', '--json'], { cwd })
  expect(ran.code).toBe(3)
  expect(ran.json().failed.map((failure: { name: string }) => failure.name)).toEqual([
    'nothere.jsonl',
    join(cwd, 'empty.jsonl'),
  ])
  expect(ran.json().imported).toHaveLength(1)
  const told = await callTreeline(['import', 'nothere.jsonl'], { cwd })
  expect(told.stderr).toMatch(/^Failed: There is nothing at .*nothere\.jsonl\.\n$/)
})

test("--all takes in what is found in the tools' usual places", async () => {
  const cwd = tempFolder()
  const folder = join(cwd, 'user/.pi/agent/sessions/--some-project--')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, '2026-01-02T03-04-05-000Z_dddd-4.jsonl'), piSession('dddd-4', 'Found me'))
  const env = { HOME: join(cwd, 'user') }
  const [listed] = (await callTreeline(['ls', '--all', '--json'], { cwd, env })).json().sessions
  const byId = await callTreeline(['import', listed.id, '--json'], { cwd, env })
  expect(byId.json().imported).toMatchObject([{ isNew: true, added: 1, format: 'pi', source: listed.path }])
  const ran = await callTreeline(['import', '--all', '--json'], { cwd, env })
  expect(ran.json().imported).toMatchObject([{ isNew: false, added: 0, format: 'pi' }])
  const none = await callTreeline(['import', '--all', '--tool', 'neovate'], { cwd, env })
  expect(none.stdout).toBe('No sessions were found there.\n')
})

test('R2 import says what is missing', async () => {
  const none = await callTreeline(['import'])
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('PATH is missing') })
  const both = await callTreeline(['import', 'x', '--all'])
  expect(both.code).toBe(2)
  const tool = await callTreeline(['import', '--all', '--tool', 'paper'])
  expect(tool.stderr).toContain('--tool takes pi,')
})
