import { openFileStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { runTreeline } from '../testing/run-treeline.ts'
import { sampleHome } from '../testing/sample-home.ts'
import { chain, entry, writeLog } from '../testing/write-log.ts'

const idsOf = (text: string) => text.split('\n').flatMap((line) => /^\S+(?= {2})/.exec(line) ?? [])

/** Everything a transcript folds. */
function toolLog(): string {
  const png = Buffer.alloc(12_300, 7).toString('base64')
  const output = Array.from({ length: 30 }, (_, i) => `line ${i}`).join('\n')
  const thinking = 'First I look.\nThen I tell.'
  const call = { type: 'toolCall', id: 'c', name: 'bash', arguments: { command: 'ls', deep: { a: 1 } } }
  const usage = { input: 1200, output: 34, cacheRead: 0, cacheWrite: 0, cost: { total: 0.0123 } }
  const about = { provider: 'anthropic', model: 'claude', usage, stopReason: 'toolUse' }
  return writeLog([
    entry('ask', null, {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image', data: png, mimeType: 'image/png' },
      ],
    }),
    entry('call', 'ask', {
      role: 'assistant',
      content: [{ type: 'thinking', thinking }, { type: 'text', text: 'Looking.' }, call],
      ...about,
    }),
    entry('result', 'call', {
      role: 'toolResult',
      toolCallId: 'c',
      toolName: 'bash',
      content: [{ type: 'text', text: output }],
      isError: false,
    }),
  ])
}

test('the trunk reads as a conversation: who, when, what; the rest is folded', async () => {
  const { code, stdout } = await runTreeline(['show', toolLog()], { env: { TZ: 'UTC' } })
  expect(code).toBe(0)
  expect(stdout).toBe(
    [
      'ask  user  2026-01-01 00:00',
      '  Look',
      '  [image png 12.3 KB]',
      '',
      'call  assistant  claude  2026-01-01 00:00',
      '  thought: First I look. Then I tell.',
      '  Looking.',
      '  ▸ bash(command=ls, deep={…})',
      '',
      'result  toolResult  bash  2026-01-01 00:00',
      ...Array.from({ length: 5 }, (_, i) => `  line ${i}`),
      '  … 25 more lines (--full)',
      '',
      '',
    ].join('\n'),
  )
})

test('--full folds nothing', async () => {
  const { stdout } = await callTreeline(['show', toolLog(), '--full'])
  expect(stdout).toContain('  Then I tell.\n')
  expect(stdout).toContain('      "deep": {\n')
  expect(stdout).toContain('  line 29\n')
})

test('a node is shown with all that is known of it', async () => {
  const path = toolLog()
  const { stdout } = await callTreeline(['show', path, 'call'])
  expect(stdout).toMatch(
    /place +on the trunk\n +parent +ask\n +children +result\n +model +anthropic\/claude\n +usage +1,200 in, 34 out, \$0\.0123/,
  )
  const { node } = (await callTreeline(['show', path, 'call', '--json'])).json()
  expect(node).toMatchObject({
    id: 'call',
    type: 'message',
    role: 'assistant',
    parentId: 'ask',
    children: ['result'],
    place: 'trunk',
  })
  expect(node.entry.message.content[1].text).toBe('Looking.')
})

test('muted, labelled and stashed nodes say so, and so does what a summary covers', async () => {
  const { home, cwd, path, sessionId } = await sampleHome()
  {
    await using store = await openFileStore({ home })
    await using session = await store.open(sessionId)
    await session.setLabel('ask00001', 'start')
    await session.edit({ operations: [{ op: 'mute', nodeIds: ['rep00001'] }] })
    await session.edit({ operations: [{ op: 'prune', nodeId: 'ask00002' }] })
  }
  const { stdout } = await callTreeline(['show', path], { home, cwd })
  expect(stdout).toMatch(/ask00001 {2}user .*#start/)
  expect(stdout).toMatch(/rep00001 {2}assistant .*\(muted\)/)
  const stashed = await callTreeline(['show', path, 'rep00002'], { home, cwd })
  expect(stashed.stdout).toMatch(/place +in the stash/)
  const branch = await callTreeline(['show', path, '--leaf', 'ask00002'], { home, cwd })
  expect(idsOf(branch.stdout)).toEqual(['ask00001', 'rep00001', 'ask00002'])

  const summary = {
    type: 'compaction',
    id: 'sum',
    parentId: 'n3',
    summary: 'We talked.',
    firstKeptEntryId: 'n2',
    tokensBefore: 9,
  }
  const compacted = await callTreeline(['show', writeLog([...chain(4), summary]), '--json'])
  const hidden = compacted.json().nodes.map((node: { id: string; hidden?: string }) => [node.id, node.hidden])
  expect(hidden).toEqual([
    ['n0', 'compacted'],
    ['n1', 'compacted'],
    ['n2', undefined],
    ['n3', undefined],
    ['sum', undefined],
  ])
})

test('of a long trunk the end is shown, and how to see the rest', async () => {
  const path = writeLog(chain(2_000))
  const { stdout } = await callTreeline(['show', path])
  expect(idsOf(stdout).at(0)).toBe('n1960')
  expect(idsOf(stdout).at(-1)).toBe('n1999')
  expect(stdout).toMatch(/^1,960 earlier nodes not shown: --last 0 shows all/)
  expect(idsOf((await callTreeline(['show', path, '--last', '1'])).stdout)).toEqual(['n1998', 'n1999'])
  expect((await callTreeline(['show', path, '--json'])).json()).toMatchObject({
    omitted: 0,
    leafId: 'n1999',
    nodes: { length: 2_000 },
  })
  expect((await callTreeline(['show', path, '--json', '--last', '2'])).json()).toMatchObject({
    omitted: 1996,
    nodes: { length: 4 },
  })
})

test('what cannot be shown says why', async () => {
  const path = writeLog(chain(3))
  expect(await callTreeline(['show', path, 'nobody'])).toMatchObject({ code: 3, stdout: '' })
  expect((await callTreeline(['show', path, 'n1', '--leaf', 'n2'])).code).toBe(2)
  expect((await callTreeline(['show', path, '--leaf', 'root'])).stdout).toContain(
    `empty here. \`treeline tree ${path}\``,
  )
})
