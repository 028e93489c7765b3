import { z } from 'zod'
import type { JsonSchema } from './document.ts'

/** Turns the wire's types into JSON Schema; the named ones go to the components and are referred to. */
export class Schemas {
  readonly named: Record<string, JsonSchema> = {}

  /** As it is sent: what is filled in when it is read is not required. */
  add(schema: z.ZodType): JsonSchema {
    const { $schema: _, $defs = {}, ...rest } = relink(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
    Object.assign(this.named, $defs)
    const { id } = z.globalRegistry.get(schema) ?? {}
    // One that is named stands among the definitions already where it is used within itself or others.
    if (id === undefined || rest.$ref !== undefined) return rest
    this.named[id] = rest
    return { $ref: `#/components/schemas/${id}` }
  }
}

function relink(schema: z.core.JSONSchema.BaseSchema): z.core.JSONSchema.BaseSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))
}
