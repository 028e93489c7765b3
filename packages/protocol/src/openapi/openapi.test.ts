import { expect, test } from 'vitest'
import { doorRoutes } from '../routes/door-routes.ts'
import { routes } from '../routes/index.ts'
import { buildOpenApi } from './openapi.ts'

const text = JSON.stringify(buildOpenApi({ version: '1.2.3' }))
const document = JSON.parse(text)

test('it has every route, and what stands beside the table, under its own name', () => {
  const operations = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap(Object.values)
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
    Object.keys({ ...routes, ...doorRoutes }).sort(),
  )
})

test('what it refers to is in it', () => {
  const refs = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name!)
  expect(refs.length).toBeGreaterThan(100)
  expect(refs.filter((name) => !Object.hasOwn(document.components.schemas, name))).toEqual([])
  expect(text).not.toContain('$defs')
})

test('what must be sent is required, and what is filled in is not', () => {
  const { parameters } = document.paths['/api/chat/{sessionId}/tree'].get
  const required = parameters.filter((parameter: { required: boolean }) => parameter.required)
  expect(required.map(({ name }: { name: string }) => name)).toEqual(['sessionId'])
  expect(document.components.schemas.EditRequest).toMatchObject({
    required: ['operations'],
    additionalProperties: false,
  })
})

test('answers may grow: a client that knows less is not told that more is wrong', () => {
  expect(document.components.schemas.ChatMessageNode.additionalProperties).toBeUndefined()
})

test('every route says how it refuses', () => {
  for (const operations of Object.values<Record<string, { responses: Record<string, object> }>>(document.paths)) {
    for (const { responses } of Object.values(operations)) {
      expect(responses.default).toMatchObject({ content: { 'application/problem+json': {} } })
    }
  }
})

test('every operation says which scope it needs, and only the way in and /healthz need none', () => {
  const open = Object.entries<Record<string, { security: { bearer: string[] }[] }>>(document.paths).flatMap(
    ([path, operations]) => Object.values(operations).flatMap(({ security }) => (security.length === 0 ? [path] : [])),
  )
  expect(open).toEqual(['/login', '/login', '/healthz'])
  expect(document.paths['/api/chat/tokens'].get.security).toEqual([{ bearer: ['admin'] }, { cookie: ['admin'] }])
})

test('a body that may be left out is not required', () => {
  expect(document.paths['/api/chat/{sessionId}/undo'].post.requestBody.required).toBe(false)
  expect(document.paths['/api/chat/{sessionId}/message'].post.requestBody.required).toBe(true)
})

test('what goes over the WebSocket is in it, frames, events and close codes', () => {
  const { 'x-websocket': socket } = document.paths['/api/chat/ws'].get
  expect(socket).toMatchObject({ subprotocol: 'chat.v1', clientFrame: { $ref: '#/components/schemas/ClientFrame' } })
  const types = document.components.schemas.DurableEvent.oneOf.map(
    (event: { properties: { type: { const: string } } }) => event.properties.type.const,
  )
  expect(types).toContain('tree.grafted')
  expect(socket.closeCodes.slowConsumer).toBe(4008)
})
