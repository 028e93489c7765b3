import { z } from 'zod'
import { problemSchema } from './problem.ts'
import { routes } from './routes/index.ts'
import type { ReplyBody, Route } from './routes/route.ts'

type Json = Readonly<Record<string, unknown>>

export interface OpenApiInfo {
  readonly version: string
  readonly title?: string
}

/** The table of routes as an OpenAPI 3.1 document, whose schemas are plain JSON Schema 2020-12. */
export function buildOpenApi({ version, title = 'Treeline' }: OpenApiInfo): Json {
  const schemas: Record<string, unknown> = {}
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, route] of Object.entries<Route>(routes)) {
    paths[route.path] ??= {}
    paths[route.path]![route.method.toLowerCase()] = describe(name, route, schemas)
  }
  return {
    openapi: '3.1.0',
    info: { title, version, summary: 'Every conversation is a tree. Every prompt is a line through it.' },
    security: [{ bearer: [] }, { cookie: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'treeline' },
      },
    },
  }
}

function describe(name: string, route: Route, schemas: Record<string, unknown>): Json {
  const { summary, scope, params, query, body, takesBytes, replies } = route
  const json = body && { 'application/json': { schema: toSchema(body, schemas) } }
  const bytes = takesBytes && { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
  return {
    operationId: name,
    summary,
    ...(scope === 'none' && { security: [] }),
    parameters: [...parametersOf('path', params, schemas), ...parametersOf('query', query, schemas)],
    ...((json || bytes) && { requestBody: { required: true, content: { ...json, ...bytes } } }),
    responses: {
      ...Object.fromEntries(Object.entries(replies).map(([status, reply]) => [status, describeReply(reply, schemas)])),
      default: {
        description: 'It was refused.',
        content: { 'application/problem+json': { schema: toSchema(problemSchema, schemas) } },
      },
    },
  }
}

function parametersOf(
  place: 'path' | 'query',
  shape: z.ZodObject | undefined,
  schemas: Record<string, unknown>,
): Json[] {
  if (shape === undefined) return []
  return Object.entries(shape.shape).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || !schema.safeParse(undefined).success,
    schema: toSchema(schema as z.ZodType, schemas),
  }))
}

const OTHER_TYPES = { text: 'text/plain', bytes: 'application/octet-stream', events: 'text/event-stream' } as const

function describeReply(reply: ReplyBody, schemas: Record<string, unknown>): Json {
  if (reply === undefined) return { description: 'Done.' }
  if (typeof reply === 'string') {
    return { description: 'Done.', content: { [OTHER_TYPES[reply]]: { schema: { type: 'string' } } } }
  }
  return { description: 'Done.', content: { 'application/json': { schema: toSchema(reply, schemas) } } }
}

/** As it is sent: what is filled in when it is read is not required. Named parts go to the components. */
function toSchema(schema: z.ZodType, schemas: Record<string, unknown>): Json {
  const { $schema: _, $defs = {}, ...rest } = relink(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
  Object.assign(schemas, $defs)
  const { id } = z.globalRegistry.get(schema) ?? {}
  // One that is named stands among the definitions already where it is used within itself or others.
  if (id === undefined || rest.$ref !== undefined) return rest
  schemas[id] = rest
  return { $ref: `#/components/schemas/${id}` }
}

function relink(schema: z.core.JSONSchema.BaseSchema): z.core.JSONSchema.BaseSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))
}
