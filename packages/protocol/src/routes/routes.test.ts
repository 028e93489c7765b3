import { expect, test } from 'vitest'
import { doorRoutes } from './door-routes.ts'
import { routes } from './index.ts'
import type { Route } from './route.ts'

const all = Object.entries<Route>(routes)

test.each(all)('%s takes what its path names', (_, { path, params }) => {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  expect(Object.keys(params?.shape ?? {}).sort()).toEqual(named.sort())
})

test.each(all)('%s answers something, and is told of in a sentence', (_, { replies, summary }) => {
  expect(Object.keys(replies).some((status) => status.startsWith('2'))).toBe(true)
  expect(summary).toMatch(/\.$/)
})

test('no two routes are the same to a client', () => {
  const shapes = all.map(([, { method, path }]) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
  expect(new Set(shapes).size).toBe(shapes.length)
})

test('K1 every route of the table needs a credential, and whoever changes something one that may write', () => {
  for (const [name, { scope, method }] of all) {
    expect(scope, name).not.toBe('none')
    if (method !== 'GET') expect(['write', 'admin'], name).toContain(scope)
  }
})

test('K1 beside the table only the way in and /healthz answer to everybody', () => {
  const open = Object.values<Route>(doorRoutes).filter(({ scope }) => scope === 'none')
  expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /login', 'POST /login', 'GET /healthz'])
})

test('the six paths of seed 003 are there as it names them', () => {
  const shapes = all.map(([, { method, path }]) => `${method} ${path}`)
  for (const shape of [
    'GET /api/chat/{sessionId}/tree',
    'POST /api/chat/{sessionId}/message',
    'PUT /api/chat/{sessionId}/tree/edit',
    'PUT /api/chat/{sessionId}/node/{nodeId}/state',
    'PUT /api/chat/{sessionId}/nodes/state',
    'PUT /api/chat/{sessionId}/active_leaf',
  ]) {
    expect(shapes).toContain(shape)
  }
})

test('what a client may not send is refused by its shape', () => {
  const { body } = routes.putEdit
  expect(body.safeParse({ operations: [{ op: 'prune', nodeId: 'a1' }] }).success).toBe(true)
  for (const wrong of [
    {},
    { operations: [] },
    { operations: [{ op: 'prune' }] },
    { operations: [{ op: 'burn', nodeId: 'a1' }] },
    { operations: [{ op: 'prune', nodeId: '../a1' }] },
    { operations: [{ op: 'prune', nodeId: 'a1', more: true }] },
    { operations: [{ op: 'prune', nodeId: 'a1' }], baseVersion: -1 },
    { operations: Array.from({ length: 1_001 }, () => ({ op: 'prune', nodeId: 'a1' })) },
  ]) {
    expect(body.safeParse(wrong).success, JSON.stringify(wrong).slice(0, 80)).toBe(false)
  }
})

test('query values are text, and become what they mean', () => {
  const { query } = routes.getTree
  expect(query.parse({})).toEqual({ view: 'full' })
  expect(
    query.parse({ view: 'skeleton', limit: '200', atSeq: '7', stream: '1', include: 'fragments,deleted' }),
  ).toEqual({
    view: 'skeleton',
    limit: 200,
    atSeq: 7,
    stream: true,
    include: ['fragments', 'deleted'],
  })
  for (const wrong of [
    { view: 'all' },
    { limit: '0' },
    { limit: '5001' },
    { limit: 'x' },
    { atSeq: '-1' },
    { other: '1' },
  ]) {
    expect(query.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false)
  }
})
