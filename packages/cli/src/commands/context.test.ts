import { expect, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { runTreeline } from '../testing/run-treeline.ts'
import { chain, entry, writeLog } from '../testing/write-log.ts'

/** Three messages with a choice of model, a branch, and a label at the end, which Pi takes for the leaf. */
function labelledLog(): string {
  return writeLog([
    { type: 'model_change', id: 'model', parentId: null, provider: 'anthropic', modelId: 'claude' },
    entry('ask', 'model', { role: 'user', content: 'Hello' }),
    entry('one', 'ask', { role: 'assistant', content: [{ type: 'text', text: 'One.' }] }),
    entry('two', 'ask', { role: 'assistant', content: [{ type: 'text', text: 'Two.' }] }),
    { type: 'label', id: 'mark', parentId: 'two', targetId: 'ask', label: 'start' },
  ])
}

test('S22 the messages of a path, told in a table with the state they were written in', async () => {
  const { code, stdout } = await runTreeline(['context', labelledLog()])
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^2 messages of 4 entries, root to mark, as pi reads them\nmodel anthropic\/claude · thinking off\n/,
  )
  expect(stdout).toMatch(/1 {2}user +2 {2}Hello\n2 {2}assistant +1 {2}Two\.\n/)
})

test('the document has what the issue says, and nothing else', async () => {
  const printed = (await callTreeline(['context', labelledLog(), '--json'])).json()
  expect(printed).toEqual({
    sessionId: 'log',
    leafId: 'mark',
    path: ['model', 'ask', 'two', 'mark'],
    messages: [
      { role: 'user', content: 'Hello', timestamp: 1 },
      { role: 'assistant', content: [{ type: 'text', text: 'Two.' }], timestamp: 1 },
    ],
    model: { provider: 'anthropic', modelId: 'claude' },
    models: { default: 'anthropic/claude' },
    thinkingLevel: 'off',
    mode: 'none',
    injectedTtsrRules: [],
  })
})

test('--leaf takes ids, parts, labels and root; --dialect whose reading', async () => {
  const path = labelledLog()
  const at = async (...words: string[]) => (await callTreeline(['context', path, '--json', ...words])).json()
  expect((await at('--leaf', 'one')).path).toEqual(['model', 'ask', 'one'])
  expect((await at('--leaf', 'start')).path).toEqual(['model', 'ask'])
  expect(await at('--leaf', 'root')).toMatchObject({ leafId: null, path: [], messages: [], model: null })
  expect((await at('--dialect', 'xcsh')).models).toEqual({})
  // By Treeline's own law a label leaves the leaf where it is.
  expect((await at('--dialect', 'treeline')).leafId).toBe('two')
})

test('--full prints words, --limit the last ones; what is wrong is said', async () => {
  const path = writeLog(chain(100))
  const { stdout } = await callTreeline(['context', path, '--full', '--limit', '2'])
  expect(stdout).toMatch(/user\n {2}said 98\n\nassistant\n {2}said 99\n\n98 earlier messages not shown/)
  expect(stdout).not.toContain('said 97')
  const unknown = await callTreeline(['context', path, '--leaf', 'nobody', '--json'])
  expect(unknown).toMatchObject({ code: 3, stdout: '' })
  const image = { type: 'image', data: `blob:sha256:${'a'.repeat(64)}`, mimeType: 'image/png' }
  const lost = await callTreeline([
    'context',
    writeLog([entry('a', null, { role: 'user', content: [image] })]),
    '--json',
  ])
  expect(lost.stderr).toMatch(/One image is missing or damaged/)
  expect(lost.json().messages[0].content).toEqual([image])
})
