import { describe, expect, test } from 'vitest'
import type { LineMessage, LinePart } from '../line/line-message.ts'
import { checkAnthropic, checkGemini, checkOpenAi } from './provider-rules.ts'

const text = (value = 'words'): LinePart => ({ type: 'text', text: value })
const call = (toolCallId = 'c1', more: object = {}): LinePart => ({
  type: 'tool_call',
  toolCallId,
  name: 'read',
  input: {},
  ...more,
})
const result = (toolCallId = 'c1', more: object = {}): LinePart => ({
  type: 'tool_result',
  toolCallId,
  name: 'read',
  output: [{ type: 'text', text: 'done' }],
  isError: false,
  ...more,
})
const reasoning = (more: object = {}): LinePart => ({ type: 'reasoning', text: 'hm', ...more })
const image = (more: object = {}): LinePart => ({ type: 'image', data: 'AAAA', mimeType: 'image/png', ...more })
const say = (role: LineMessage['role'], ...content: LinePart[]) => ({ role, content, nodeIds: [] }) as LineMessage
const system = (...content: LinePart[]) => say('system', ...content)
const user = (...content: LinePart[]) => say('user', ...(content.length === 0 ? [text()] : content))
const assistant = (...content: LinePart[]) => say('assistant', ...content)
const tool = (...content: LinePart[]) => say('tool', ...content)

const checks = { openai: checkOpenAi, anthropic: checkAnthropic, gemini: checkGemini }
type Provider = keyof typeof checks
const ALL: readonly Provider[] = ['openai', 'anthropic', 'gemini']

function refusedBy(messages: readonly LineMessage[]): Provider[] {
  return ALL.filter((provider) => checks[provider](messages).length > 0)
}

const blob = `blob:sha256:${'0'.repeat(64)}`

describe('requests that providers accept', () => {
  test.each<[string, LineMessage[]]>([
    ['nothing', []],
    ['a system text alone', [system(text())]],
    ['a plain conversation', [system(text()), user(), assistant(text()), user(text(), image())]],
    ['a blob as an image', [user(image({ data: blob }))]],
    ['a call and its result', [user(), assistant(text(), call()), tool(result())]],
    ['a turn that goes on', [user(), assistant(call()), tool(result()), assistant(text())]],
    ['words after a result', [user(), assistant(call()), tool(result()), user()]],
    [
      'two calls',
      [user(), assistant(call('a'), call('b', { name: 'w' })), tool(result('a'), result('b', { name: 'w' }))],
    ],
    ['turn after turn', [user(), assistant(call('a')), tool(result('a')), assistant(call('b')), tool(result('b'))]],
    ['reasoning first', [user(), assistant(reasoning({ signature: 's' }), text(), call()), tool(result())]],
    ['redacted reasoning', [user(), assistant(reasoning({ text: '', redacted: 'x' }), text())]],
    ['an image as output', [user(), assistant(call()), tool(result('c1', { output: [image()] }))]],
    ['the longest id', [user(), assistant(call('x'.repeat(64))), tool(result('x'.repeat(64)))]],
  ])('%s', (_, messages) => {
    for (const provider of ALL) expect(checks[provider](messages), provider).toEqual([])
  })
})

describe('requests that providers refuse', () => {
  test.each<[string, readonly Provider[], LineMessage[]]>([
    ['a call without a result at the end', ALL, [user(), assistant(call())]],
    ['a call without a result before a user', ALL, [user(), assistant(call()), user()]],
    ['a call without a result before an answer', ALL, [user(), assistant(call()), assistant(text())]],
    ['one of two results', ALL, [user(), assistant(call('a'), call('b')), tool(result('a')), user()]],
    ['a result behind other words', ALL, [user(), assistant(call()), user(), tool(result())]],
    ['a result a turn too late', ALL, [user(), assistant(call()), tool(), assistant(text()), tool(result())]],
    ['a result without a call', ALL, [user(), tool(result())]],
    ['a result of another call', ['openai', 'anthropic'], [user(), assistant(call('a')), tool(result('b'))]],
    ['a result first of all', ALL, [tool(result())]],
    ['a call answered twice', ALL, [user(), assistant(call()), tool(result(), result())]],
    [
      'a call answered again later',
      ALL,
      [user(), assistant(call()), tool(result()), assistant(text()), tool(result())],
    ],
    [
      'a call id used twice in a turn',
      ['openai', 'anthropic'],
      [user(), assistant(call(), call()), tool(result(), result())],
    ],
    [
      'a call id used twice in a request',
      ['openai', 'anthropic'],
      [user(), assistant(call()), tool(result()), assistant(call()), tool(result())],
    ],
    [
      'results in another order',
      ['gemini'],
      [user(), assistant(call('a'), call('b', { name: 'w' })), tool(result('b', { name: 'w' }), result('a'))],
    ],
    ['a result of another name', ['gemini'], [user(), assistant(call()), tool(result('c1', { name: 'write' }))]],
    ['an empty id', ALL, [user(), assistant(call('')), tool(result(''))]],
    ['an id with a bar', ALL, [user(), assistant(call('a|b')), tool(result('a|b'))]],
    ['an id of 65', ALL, [user(), assistant(call('x'.repeat(65))), tool(result('x'.repeat(65)))]],
    ['a name with a blank', ALL, [user(), assistant(call('a', { name: 'a b' })), tool(result('a', { name: 'a b' }))]],
    ['an empty name', ALL, [user(), assistant(call('a', { name: '' })), tool(result('a', { name: '' }))]],
    ['input that is text', ['openai', 'anthropic'], [user(), assistant(call('a', { input: '{}' })), tool(result('a'))]],
    ['input that is a list', ['openai', 'anthropic'], [user(), assistant(call('a', { input: [] })), tool(result('a'))]],
    ['input that is null', ['openai', 'anthropic'], [user(), assistant(call('a', { input: null })), tool(result('a'))]],
    ['an empty user message', ALL, [say('user')]],
    ['an empty user message behind a result', ALL, [user(), assistant(call()), tool(result()), say('user')]],
    ['an empty assistant message', ALL, [user(), assistant()]],
    ['an empty system message', ALL, [system(), user()]],
    ['an empty tool message', ALL, [user(), assistant(text()), tool(), assistant(text())]],
    ['nothing but reasoning', ['openai', 'anthropic'], [user(), assistant(reasoning())]],
    ['an empty text', ALL, [user(text(''))]],
    ['a blank text', ALL, [user(), assistant(text(' \n\t'))]],
    ['a blank system text', ALL, [system(text(' ')), user()]],
    ['an empty output', ALL, [user(), assistant(call()), tool(result('c1', { output: [] }))]],
    ['a blank output', ALL, [user(), assistant(call()), tool(result('c1', { output: [text(' ')] }))]],
    ['system in the middle', ALL, [user(), system(text())]],
    ['two system messages', ALL, [system(text()), system(text()), user()]],
    ['an answer first', ['anthropic', 'gemini'], [assistant(text()), user()]],
    ['an answer first after system', ['anthropic', 'gemini'], [system(text()), assistant(text())]],
    ['two user messages', ['anthropic', 'gemini'], [user(), user()]],
    ['two answers', ['anthropic', 'gemini'], [user(), assistant(text()), assistant(text())]],
    [
      'two tool messages',
      ['anthropic', 'gemini'],
      [user(), assistant(call('a'), call('b')), tool(result('a')), tool(result('b'))],
    ],
    ['reasoning behind text', ['anthropic'], [user(), assistant(text(), reasoning())]],
    ['reasoning behind a call', ['anthropic'], [user(), assistant(call(), reasoning()), tool(result())]],
    ['empty reasoning', ['anthropic'], [user(), assistant(reasoning({ text: '' }), text())]],
    ['an image without data', ALL, [user(image({ data: '' }))]],
    ['an image that is a path', ALL, [user(image({ data: '/tmp/a.png' }))]],
    ['an image that is a text', ALL, [user(image({ mimeType: 'text/plain' }))]],
    ['a bad image as output', ALL, [user(), assistant(call()), tool(result('c1', { output: [image({ data: '?' })] }))]],
    ['undefined members', ALL, [user(), assistant(call('a', { signature: undefined })), tool(result('a'))]],
    ['not a number', ALL, [user(), assistant(call('a', { input: { n: Number.NaN } })), tool(result('a'))]],
    ['a date', ALL, [user(), assistant(call('a', { input: { at: new Date(0) } })), tool(result('a'))]],
    ['an unknown role', ALL, [say('narrator' as 'user', text())]],
  ])('%s', (_, by, messages) => {
    expect(refusedBy(messages)).toEqual(by)
  })
})
