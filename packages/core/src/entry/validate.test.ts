import { expect, test } from 'vitest'
import { parseEntry, validateEntry, validateHeader } from './validate.ts'

const base = { id: 'a1', parentId: null, timestamp: '2026-01-01T00:00:00.000Z' }
const usage = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 }
const user = { role: 'user', content: 'hi', timestamp: 1 }
const system = {
  role: 'system',
  content: [{ type: 'text', text: 's' }],
  sections: { a: null },
  toolsRemoved: [{ name: 'x' }],
}

const good: Record<string, object> = {
  message: { message: user },
  model_change: { model: 'p/m', role: 'default', provider: 'p', modelId: 'm' },
  thinking_level_change: { thinkingLevel: null },
  service_tier_change: { serviceTier: { openai: 'flex' } },
  mode_change: { mode: 'plan', data: 1 },
  context_change: { contextName: 'c' },
  mcp_tool_selection: { selectedToolNames: ['a'] },
  active_tools_change: { activeToolNames: [] },
  ttsr_injection: { injectedRules: ['r'] },
  session_init: { systemPrompt: 's', task: 't', tools: ['x'] },
  compaction: { summary: 's', tokensBefore: 1, firstKeptEntryId: 'x', usage, systemMessage: system },
  branch_summary: { fromId: 'root', summary: 's', fromHook: true },
  custom: { customType: 'treeline/edit', data: { ops: 'validated elsewhere' } },
  custom_message: { customType: 'x', content: [{ type: 'image', data: 'AA', mimeType: 'image/png' }], display: true },
  context_edit: { targetId: 'x', replacement: { content: 1 } },
  label: { targetId: 'x' },
  session_info: {},
  title_change: { title: 't', source: 'user' },
  usage: { kind: 'k', provider: 'p', model: 'm', usage },
  model_usage: { purpose: 'p', provider: 'p', model: 'm', usage },
  credential_pin: { provider: 'p', hash: 'h' },
  reset_boundary: {},
  leaf: { targetId: null },
}

const problemsOf = (value: unknown): readonly string[] => {
  const validated = validateEntry(value)
  return validated.ok ? [] : validated.problems
}
const problemsOfMessage = (message: unknown) => problemsOf({ type: 'message', ...base, message })

test.each(Object.entries(good))(
  '%s is valid with its fields, and each required field is missed by name',
  (type, fields) => {
    const entry = { type, ...base, ...fields }
    expect(validateEntry(entry)).toEqual({ ok: true, entry })
    for (const name of ['id', 'parentId', 'timestamp']) {
      const { [name]: _, ...rest } = entry as Record<string, unknown>
      expect(problemsOf(rest)).toEqual([expect.stringContaining(`${name} is missing`)])
    }
  },
)

test('unknown types, fields, roles and blocks are allowed and the same object comes back', () => {
  const entries = [
    { zeta: 1, type: 'from_the_future', ...base, summary: 5 },
    { type: 'label', ...base, targetId: 'x', extra: { deep: [] } },
    { type: 'message', ...base, message: { role: 'alien', content: 5 } },
    { type: 'message', ...base, message: { role: 'assistant', content: [{ type: 'hologram' }] } },
    JSON.parse('{"type":"__proto__","id":"a","parentId":null,"timestamp":"t","constructor":1}') as object,
  ]
  for (const entry of entries) {
    const validated = validateEntry(entry)
    expect(validated.ok && validated.entry).toBe(entry)
  }
})

test('a known type with a wrong field is refused by the path of that field', () => {
  expect(problemsOf({ type: 'compaction', ...base, summary: 1, tokensBefore: 'x' })).toEqual([
    'summary must be a string',
    'tokensBefore must be a number',
  ])
  expect(problemsOf({ type: 'label', ...base, targetId: '' })).toEqual(['targetId must be a non-empty string'])
  expect(problemsOf({ type: 'leaf', ...base, targetId: 5 })).toEqual(['targetId must be an id or null'])
  expect(problemsOf({ type: 'custom', ...base })).toEqual(['customType is missing (a string)'])
  expect(problemsOf({ type: 'ttsr_injection', ...base, injectedRules: ['a', 1] })).toEqual([
    'injectedRules must be a list of strings',
  ])
  expect(problemsOf({ type: 'title_change', ...base, title: 't', source: 'x' })).toEqual([
    'source must be "auto" or "user"',
  ])
})

test('messages are checked by role, down to their content blocks', () => {
  const cases: [unknown, string][] = [
    [undefined, 'message is missing (an object)'],
    [[], 'message must be an object'],
    [{ content: 'x' }, 'message.role is missing (a string)'],
    [{ ...user, timestamp: 'now' }, 'message.timestamp must be a number'],
    [{ role: 'user', content: 5 }, 'message.content must be a list'],
    [{ role: 'user', content: [null] }, 'message.content[0] must be an object'],
    [{ role: 'user', content: [{ text: 'x' }] }, 'message.content[0].type is missing (a string)'],
    [{ role: 'assistant', content: 'text' }, 'message.content must be a list'],
    [
      { role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'n', arguments: '{}' }] },
      'message.content[0].arguments must be an object',
    ],
    [{ role: 'assistant', content: [], usage: { ...usage, input: '1' } }, 'message.usage.input must be a number'],
    [{ role: 'toolResult', toolCallId: 'c', toolName: 'n', content: [] }, 'message.isError is missing (true or false)'],
    [
      { role: 'bashExecution', command: 'ls', output: '', cancelled: false },
      'message.truncated is missing (true or false)',
    ],
    [{ role: 'fileMention', files: [{ path: 'p' }] }, 'message.files[0].content is missing (a string)'],
    [{ role: 'system', content: '', toolsRemoved: [{}] }, 'message.toolsRemoved[0].name is missing (a string)'],
  ]
  for (const [message, problem] of cases) expect(problemsOfMessage(message)).toEqual([problem])
})

test('every role that is stored is accepted in full', () => {
  const execution = { output: '', cancelled: false, truncated: false, exitCode: 0 }
  for (const message of [
    { role: 'developer', content: [{ type: 'text', text: 'x' }] },
    system,
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 't' },
        { type: 'redactedThinking', data: 'd' },
      ],
      usage,
    },
    { role: 'toolResult', toolCallId: 'c', toolName: 'n', content: [{ type: 'text', text: '' }], isError: true },
    { role: 'bashExecution', command: 'ls', ...execution },
    { role: 'pythonExecution', code: '1', ...execution },
    { role: 'hookMessage', customType: 'x', content: '', display: false, attribution: 'agent' },
    { role: 'fileMention', files: [{ path: 'p', content: 'c', image: { type: 'image', data: 'd', mimeType: 'm' } }] },
  ]) {
    expect(problemsOfMessage(message)).toEqual([])
  }
})

test('R2 a refused entry names itself, its line, what is wrong and what to do', () => {
  expect(() => parseEntry({ type: 'label', ...base }, { line: 12, offset: 900 })).toThrow(
    expect.objectContaining({
      code: 'invalid_entry',
      details: { line: 12, offset: 900 },
      message: 'Entry a1 on line 12: targetId is missing (a non-empty string). Correct these fields and try again.',
    }),
  )
  expect(() => parseEntry(null)).toThrow(/^An entry: it is not an object\./)
  const entry = { type: 'session_info', ...base }
  expect(parseEntry(entry)).toBe(entry)
})

test('G1 the number of problems is bounded, however bad the input', () => {
  const content = Array.from({ length: 100_000 }, () => ({ type: 'text' }))
  expect(problemsOfMessage({ role: 'user', content })).toHaveLength(10)
})

test('a header needs an id, a time and a folder; other fields are free', () => {
  const header = { type: 'session', id: 's', timestamp: 't', cwd: '/', metadata: { owner: 'x' } }
  const validated = validateHeader(header)
  expect(validated.ok && validated.header).toBe(header)
  expect(validateHeader({ type: 'message', id: 5, version: '3' })).toEqual({
    ok: false,
    problems: [
      'type must be "session"',
      'id must be a non-empty string',
      'timestamp is missing (a string)',
      'cwd is missing (a string)',
      'version must be a number',
    ],
  })
  expect(validateHeader([]).ok).toBe(false)
})
