import { openFileStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { runTreeline } from '../testing/run-treeline.ts'
import { sampleHome } from '../testing/sample-home.ts'
import { chain, entry, writeLog } from '../testing/write-log.ts'

const UNSAFE = /(?!\n)\p{Cc}|\p{Bidi_Control}/u
const idsOf = (lines: string) => lines.split('\n').flatMap((line) => /^\S+/.exec(line) ?? [])

test('the tree is drawn with ids, the trunk and the leaf marked', async () => {
  const { home, cwd, path } = await sampleHome()
  const { code, stdout } = await runTreeline(['tree', path], { home, cwd })
  expect(code).toBe(0)
  expect(stdout).toBe(
    [
      'ask00001  ● user       Where does the parser stop?',
      'rep00001  ● assistant  At the first bad line.',
      'ask00002  ├─○ user       Make it go on.',
      'rep00002  │ ○ assistant  It goes on now. It goes on now. It goes on now. It goe…',
      'ask00003  ● user       Why the first?',
      'rep00003  ● assistant  (leaf) Because nobody caught the error.',
      '',
    ].join('\n'),
  )
})

test('P22, P26 both indented styles', async () => {
  const { home, cwd, path } = await sampleHome()
  const ids = await callTreeline(['tree', path, '--style', 'ids'], { home, cwd })
  expect(ids.stdout.split('\n').slice(0, 4)).toEqual([
    'root',
    '└── ask00001: Where does the parser stop?',
    '    └── rep00001: At the first bad line.',
    '        ├── ask00002: Make it go on.',
  ])
  const typed = await callTreeline(['tree', path, '--style', 'typed'], { home, cwd })
  expect(typed.stdout.split('\n').slice(0, 3)).toEqual([
    '└── [user] Where does the parser stop?',
    '    └── [assistant] At the first bad line.',
    '        ├── [user] Make it go on.',
  ])
})

test('labels, muted nodes and the stash are shown, and are in the document', async () => {
  const { home, cwd, path, sessionId } = await sampleHome()
  {
    await using store = await openFileStore({ home })
    await using session = await store.open(sessionId)
    await session.setLabel('ask00001', 'start')
    await session.edit({ operations: [{ op: 'mute', nodeIds: ['rep00001'] }] })
    await session.edit({ operations: [{ op: 'prune', nodeId: 'ask00002' }] })
  }
  const { stdout } = await callTreeline(['tree', path], { home, cwd })
  expect(stdout).toContain('ask00001  ● user       (#start) Where does')
  expect(stdout).toContain('rep00001  ● assistant  (muted) At the first')
  expect(stdout).toMatch(
    /In the stash: 1 node\n.*treeline graft \S+ rep00002 NODE\nrep00002 {2}○ assistant {2}It goes on now\./,
  )

  const tree = (await callTreeline(['tree', path, '--json', '--filter', 'default'], { home, cwd })).json()
  expect(Object.keys(tree)).toEqual(['sessionId', 'leafId', 'roots', 'stash'])
  expect(tree).toMatchObject({ sessionId, leafId: 'rep00003' })
  const cut = { id: 'ask00002', type: 'message', role: 'user', children: [] }
  const end = { id: 'rep00003', type: 'message', role: 'assistant', children: [] }
  const ask = { id: 'ask00003', type: 'message', role: 'user', children: [end] }
  const muted = { id: 'rep00001', type: 'message', role: 'assistant', muted: true, children: [cut, ask] }
  expect(tree.roots).toEqual([{ id: 'ask00001', type: 'message', role: 'user', label: 'start', children: [muted] }])
  const stashed = { id: 'rep00002', type: 'message', role: 'assistant', children: [] }
  expect(tree.stash).toMatchObject([
    { fragmentId: 'rep00002', nodeCount: 1, fromParentId: 'ask00002', roots: [stashed] },
  ])

  // Every entry of the log that is not Treeline's own, when no filter is asked for.
  const all = (await callTreeline(['tree', path, '--json'], { home, cwd })).stdout
  expect(all).toContain('"type":"label"')
  expect(all).not.toContain('"type":"custom"')
  const drawn = await callTreeline(['tree', path, '--filter', 'all'], { home, cwd })
  expect(drawn.stdout).toMatch(/label {6}ask00001 #start/)
})

test('filters show what they say, under what is left of the way up', async () => {
  const { home, cwd, path } = await sampleHome()
  const user = await callTreeline(['tree', path, '--filter', 'user'], { home, cwd })
  expect(idsOf(user.stdout)).toEqual(['ask00001', 'ask00002', 'ask00003'])
  const labeled = await callTreeline(['tree', path, '--filter', 'labeled'], { home, cwd })
  expect(labeled.stdout).toMatch(/nothing that --filter labeled shows/)
  const wrong = await callTreeline(['tree', path, '--filter', 'mine'], { home, cwd })
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
})

test('no-tools leaves out results and answers that are only calls', async () => {
  const call = { type: 'toolCall', id: 'c', name: 'ls', arguments: {} }
  const result = { role: 'toolResult', toolCallId: 'c', toolName: 'ls', content: [], isError: false }
  const path = writeLog([
    entry('a', null, { role: 'user', content: 'look' }),
    entry('b', 'a', { role: 'assistant', content: [call] }),
    entry('c', 'b', result),
    entry('d', 'c', { role: 'assistant', content: [{ type: 'text', text: 'There.' }, call] }),
    entry('e', 'd', { role: 'user', content: 'thanks' }),
  ])
  const { stdout } = await callTreeline(['tree', path, '--filter', 'no-tools'])
  expect(idsOf(stdout)).toEqual(['a', 'd', 'e'])
})

test('a long conversation is folded to what tells most, and says what is left out', async () => {
  const path = writeLog(chain(5_000))
  const { stdout } = await callTreeline(['tree', path])
  const lines = stdout.trimEnd().split('\n')
  expect(lines.length).toBeLessThan(30)
  expect(lines[0]).toMatch(/^n0 +● user {7}said 0$/)
  expect(stdout).toContain('⋮          4,987 nodes')
  expect(stdout).toMatch(/n4999 {2}● assistant {2}\(leaf\) said 4999/)
  expect(stdout).toMatch(/4,987 nodes folded/)
  const whole = await callTreeline(['tree', path, '--limit', '0'])
  expect(whole.stdout.trimEnd().split('\n').length).toBe(5_000)
  const cut = await callTreeline(['tree', path, '--style', 'typed', '--limit', '3'])
  expect(cut.stdout.split('\n').slice(2)).toEqual([
    '        └── [user] said 2',
    '',
    '4,997 more nodes: --limit 0 shows all, --filter user less.',
    '',
  ])
  const shallow = await callTreeline(['tree', path, '--depth', '2'])
  expect(shallow.stdout).toMatch(/n1 {2}● assistant {2}said 1\n {4}● ⋮ {10}4,998 nodes below/)
})

test('of very many branches at one place the trunk and the latest are shown', async () => {
  const branches = Array.from({ length: 3_000 }, (_, i) =>
    entry(`b${i}`, 'top', { role: 'user', content: `branch ${i}` }),
  )
  const path = writeLog([entry('top', null, { role: 'user', content: 'start' }), ...branches])
  const { stdout } = await callTreeline(['tree', path])
  expect(stdout.trimEnd().split('\n').length).toBeLessThan(20)
  expect(stdout).toMatch(/⋮ +2,988 nodes in other branches/)
  expect(stdout).toContain('(leaf) branch 2999')
})

test('of a tree with too many forks the end of the trunk is shown', async () => {
  const forks = Array.from({ length: 1_000 }, (_, i) => {
    const above = i === 0 ? null : `n${i - 1}`
    const user = (id: string) => entry(id, above, { role: 'user', content: id })
    return [user(`x${i}`), user(`n${i}`)]
  })
  const path = writeLog(forks.flat())
  const { stdout } = await callTreeline(['tree', path])
  const lines = stdout.trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(204)
  expect(stdout).toMatch(/n0 +● user +n0\n +● ⋮ +1,\d+ nodes\n/)
  expect(stdout).toMatch(/├─○ ⋮ +1 node in other branches\nn999 {2}● user {7}\(leaf\) n999\n/)
  for (const max of ['1', '2', '5']) {
    expect((await callTreeline(['tree', path, '--limit', max])).stdout).toMatch(/⋮ +[\d,]+ nodes? /)
  }
  const [folded] = /[\d,]+(?= nodes folded)/.exec(stdout)!
  const shown = lines.filter((line) => /^n\d/.test(line)).length
  expect(Number(folded!.replace(',', '')) + shown).toBe(2_000)
})

test('the stash of a large tree is drawn whole, and many roots are not cut short by the lines between them', async () => {
  const prune = { op: 'prune', nodeId: 'a' }
  const edit = { type: 'custom', customType: 'treeline/edit', data: { ops: [prune], inverse: [] } }
  const said = (id: string, parentId: string | null) => entry(id, parentId, { role: 'user', content: `of ${id}` })
  const forks = Array.from({ length: 400 }, (_, i) => [said(`x${i}`, `n${i}`), said(`n${i + 1}`, `n${i}`)]).flat()
  const stash = [said('a', null), said('b', 'a'), said('c', 'b')]
  const path = writeLog([...stash, said('n0', null), ...forks, { ...edit, id: 'edit', parentId: 'n400' }])
  const { stdout } = await callTreeline(['tree', path])
  expect(stdout).toMatch(/In the stash: 2 nodes\n.*\nb {2}○ user {7}of b\nc {2}○ user {7}of c\n/)
  const roots = Array.from({ length: 30 }, (_, i) => said(`r${i}`, null))
  const many = await callTreeline(['tree', writeLog(roots), '--limit', '30'])
  expect(many.stdout).toMatch(/r29 {2}● user {7}\(leaf\) of r29\n$/)
})

test('a conversation 100,000 deep is printed as JSON', async () => {
  const path = writeLog(chain(100_000))
  const { code, stdout } = await callTreeline(['tree', path, '--json'])
  expect(code).toBe(0)
  expect(stdout.match(/"children":\[/g)?.length).toBe(100_000)
  expect(
    stdout.endsWith(
      `"id":"n99999","type":"message","role":"assistant","children":[]}${']}'.repeat(99_999)}],"stash":[]}\n`,
    ),
  ).toBe(true)
})

test('K4 nothing in a session drives the terminal', async () => {
  const id = '\u001b]0;x\u0007id'
  const path = writeLog([
    entry(id, null, { role: 'user', content: '\u001b[2J\u001b[31mred\u202e\nsecond' }),
    entry('b', id, { role: 'user', content: 'x' }),
  ])
  for (const style of ['treeline', 'ids', 'typed']) {
    const { stdout } = await callTreeline(['tree', path, '--style', style])
    expect(stdout).not.toMatch(UNSAFE)
    expect(stdout).toContain('red second')
  }
  expect((await callTreeline(['tree', path, '--json'])).stdout).not.toMatch(UNSAFE)
})

test('an empty session and a missing file say what to do', async () => {
  expect(await callTreeline(['tree', writeLog([])])).toMatchObject({
    code: 0,
    stdout: 'The session has no messages yet.\n',
  })
  const missing = await callTreeline(['tree', './nothing.jsonl', '--json'])
  expect(missing.code).toBe(3)
  expect(JSON.parse(missing.stderr).error.code).toBe('session_not_found')
  const max = await callTreeline(['tree', writeLog([]), '--limit', 'many'])
  expect(max.code).toBe(2)
  expect(max.stderr).toContain('--limit takes a whole number')
})
