import type { z } from 'zod'
import { CLOSE, clientFrameSchema, SUBPROTOCOL, serverFrameSchema } from '../frame.ts'
import { problemSchema } from '../problem.ts'
import type { ReplyBody, Route } from '../routes/route.ts'
import type { Content, Operation, Parameter, Response, Security, SocketNote } from './document.ts'
import type { Schemas } from './schemas.ts'

/** One route of the table as an operation. */
export function describe(name: string, tag: string, route: Route, schemas: Schemas): Operation {
  const content = bodyOf(route, schemas)
  return {
    operationId: name,
    tags: [tag],
    summary: route.summary,
    security: securityOf(route),
    parameters: [
      ...parametersOf('path', route.params, schemas),
      ...parametersOf('query', route.query, schemas),
      ...(304 in route.replies ? [IF_NONE_MATCH] : []),
    ],
    ...(content && { requestBody: { required: route.body?.safeParse({}).success !== true, content } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.replies).map(([status, reply]) => [
          status,
          describeReply(Number(status), reply, route, schemas),
        ]),
      ),
      default: {
        description: 'It was refused.',
        content: { 'application/problem+json': { schema: schemas.add(problemSchema) } },
      },
    },
    ...(route.isSocket && { 'x-websocket': noteSocket(schemas) }),
  }
}

const BINARY = { type: 'string', format: 'binary' } as const
const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  schema: { type: 'string', description: 'The ETag of what is known already: then the answer is 304.' },
}

function securityOf({ scope }: Route): readonly Security[] {
  return scope === 'none' ? [] : [{ bearer: [scope] }, { cookie: [scope] }]
}

function bodyOf({ body, bodyType, takesBytes, takesForm }: Route, schemas: Schemas): Content | undefined {
  if (body === undefined && takesBytes === undefined) return undefined
  return {
    ...(body && { [bodyType ?? 'application/json']: { schema: schemas.add(body) } }),
    ...(takesBytes && { 'application/octet-stream': { schema: BINARY } }),
    ...(takesForm && {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: { file: BINARY, format: { type: 'string' } },
          required: ['file'],
        },
      },
    }),
  }
}

function parametersOf(place: 'path' | 'query', shape: z.ZodObject | undefined, schemas: Schemas): Parameter[] {
  return Object.entries(shape?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || !schema.safeParse(undefined).success,
    schema: schemas.add(schema as z.ZodType),
  }))
}

const TYPES = { text: 'text/plain', bytes: 'application/octet-stream', page: 'text/html' } as const
const DONE: Readonly<Record<number, string>> = {
  101: 'It is a WebSocket from now on.',
  201: 'It was made.',
  202: 'It is stored and was begun; how it ends comes as an event.',
  204: 'It is gone.',
  303: 'It goes on there.',
  304: 'What is known is what there is.',
  401: 'It does not count.',
}

function describeReply(status: number, reply: ReplyBody, { alsoAs, replies }: Route, schemas: Schemas): Response {
  const description = DONE[status] ?? 'Done.'
  const headers = status === 200 && 304 in replies && { headers: { ETag: { schema: { type: 'string' } } } }
  if (reply === undefined) return { description }
  const content: Content =
    typeof reply === 'string'
      ? { [TYPES[reply]]: { schema: { type: 'string' } } }
      : { 'application/json': { schema: schemas.add(reply) } }
  const stream = alsoAs && { [alsoAs]: { schema: { type: 'string' } } }
  return { description, ...headers, content: { ...content, ...stream } }
}

function noteSocket(schemas: Schemas): SocketNote {
  return {
    subprotocol: SUBPROTOCOL,
    clientFrame: schemas.add(clientFrameSchema),
    serverFrame: schemas.add(serverFrameSchema),
    closeCodes: CLOSE,
  }
}
