import fc from 'fast-check'
import { z } from 'zod'
import { arbitraryOf } from './arbitrary-of.ts'

const IDS = ['u1', 'a1', 'u2', 'a2', 'u3', 'a3']

/** A body of this shape, always the same one. */
export function sampleBody(schema: z.ZodType): unknown {
  const written = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })
  const { $defs: _, ...plain } = written
  const [sample] = fc.sample(arbitraryOf(inlined(plain, written.$defs ?? {}), { ids: IDS }), { numRuns: 1, seed: 1 })
  return sample
}

/** With what it refers to in its place. */
export function inlined(schema: unknown, defs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    const ref: unknown = value?.$ref
    return typeof ref === 'string' ? inlined(defs[ref.slice(ref.lastIndexOf('/') + 1)], defs) : value
  })
}
