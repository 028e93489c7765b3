import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../settings/settings.ts'
import { builtinTools } from './builtin-tools.ts'
import { toolSpecs } from './tool-specs.ts'

const NAMES = 'read write edit bash ls grep find list_branches read_branch search_session'.split(' ')

test('the tools come in one order, whatever is asked for', () => {
  const names = (tools?: readonly string[]) =>
    builtinTools({ ...DEFAULT_SETTINGS, ...(tools !== undefined && { tools }) }).map(({ name }) => name)
  expect(names()).toEqual(NAMES)
  expect(names(['bash', 'read', 'nothing'])).toEqual(['read', 'bash'])
  expect(names([])).toEqual([])
})

test('X66 only what reads may be repeated, and what reads is all that runs unasked', () => {
  const repeatable = builtinTools(DEFAULT_SETTINGS).filter(({ isRepeatable }) => isRepeatable)
  expect(repeatable.map(({ name }) => name)).toEqual(NAMES.filter((name) => !['write', 'edit', 'bash'].includes(name)))
  expect(repeatable.every(({ effect }) => effect === 'read')).toBe(true)
})

test('the same tools give the same bytes', () => {
  const bytes = () => JSON.stringify(toolSpecs(builtinTools(DEFAULT_SETTINGS)))
  expect(bytes()).toBe(bytes())
})

test('a specification is plain JSON schema that names every field', () => {
  const [read] = toolSpecs(builtinTools({ ...DEFAULT_SETTINGS, tools: ['read'] }))
  expect(read).toMatchObject({
    type: 'function',
    name: 'read',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, offset: { type: 'integer', minimum: 1 }, limit: { type: 'integer' } },
      required: ['path'],
      additionalProperties: false,
    },
  })
  expect(read!.inputSchema).not.toHaveProperty('$schema')
})
