import { expect, test } from 'vitest'
import { buildOpenApi } from './openapi.ts'
import { routes } from './routes/index.ts'

const text = JSON.stringify(buildOpenApi({ version: '1.2.3' }))
const document = JSON.parse(text)

test('it has every route, under its own name', () => {
  const operations = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap(Object.values)
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(routes).sort())
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
