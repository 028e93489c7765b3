import type { JsonSchema } from '@treeline/protocol'
import fc from 'fast-check'

/** What is worth saying where an id is wanted: those that there are, and some that there are not. */
export interface Pool {
  readonly ids: readonly string[]
}

const NAMES: Readonly<Record<string, readonly string[]>> = {
  model: ['test/one', 'test/two', 'nobody/nothing'],
  strategy: ['truncate', 'compact', 'full'],
  role: ['user', 'assistant'],
  format: ['auto', 'native', 'pi'],
}

/** Values of a shape, as a client that means well could send them. */
export function arbitraryOf(schema: JsonSchema, pool: Pool, name = ''): fc.Arbitrary<unknown> {
  const { properties, required, items, type, additionalProperties } = schema as Parts
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  const choices = (schema.oneOf ?? schema.anyOf) as JsonSchema[] | undefined
  if (choices !== undefined) return fc.oneof(...choices.map((one) => arbitraryOf(one, pool, name)))
  switch (type) {
    case 'object':
      return objectOf(properties ?? {}, required ?? [], additionalProperties, pool)
    case 'array': {
      const minLength = Number(schema.minItems ?? 0)
      return fc.array(arbitraryOf(items ?? {}, pool, name), { minLength, maxLength: minLength + 2 })
    }
    case 'string':
      if (schema.pattern !== undefined) return idOf(String(schema.pattern), pool)
      return fc.oneof(fc.constantFrom(...(NAMES[name] ?? ['Hello', ''])), fc.string({ maxLength: 20 }))
    case 'integer':
      return fc.integer({ min: Number(schema.exclusiveMinimum ?? schema.minimum ?? 0) > 0 ? 1 : 0, max: 9 })
    case 'number':
      return fc.integer({ min: 0, max: 9 })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.constantFrom<unknown>('anything', 1, null, {})
  }
}

interface Parts {
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly additionalProperties?: JsonSchema | false
}

function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
  additional: JsonSchema | false | undefined,
  pool: Pool,
): fc.Arbitrary<unknown> {
  const needed = new Set(required)
  const fields = Object.entries(properties).map(([name, schema]) => {
    const value = arbitraryOf(schema, pool, name)
    return [name, needed.has(name) ? value : seldom(value)] as const
  })
  const known = fc.record(Object.fromEntries(fields)).map(withoutUndefined)
  if (additional === undefined || additional === false) return known
  const more = fc.dictionary(idOf('^[A-Za-z0-9]', pool), arbitraryOf(additional, pool), { maxKeys: 2 })
  return fc.tuple(known, more).map(([own, others]) => ({ ...own, ...others }))
}

/** The more is said, the less of it is possible at once. */
function seldom(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: fc.constant(undefined), weight: 4 }, { arbitrary: value, weight: 1 })
}

function withoutUndefined(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function idOf(pattern: string, { ids }: Pool): fc.Arbitrary<string> {
  if (pattern.includes('{64}')) return fc.constantFrom('a'.repeat(64), '0123456789abcdef'.repeat(4))
  if (pattern.startsWith('^(trunk')) return fc.constantFrom('trunk', 'tree', `node:${ids[0]}`, 'node:nobody')
  return fc.oneof({ arbitrary: fc.constantFrom(...ids), weight: 6 }, { arbitrary: fc.constant('nobody'), weight: 1 })
}
