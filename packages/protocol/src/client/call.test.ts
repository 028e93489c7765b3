import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { routes } from '../routes/index.ts'
import { createCaller } from './call.ts'

async function served(answer: (request: IncomingMessage, response: ServerResponse, body: string) => void) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    answer(request, response, Buffer.concat(chunks).toString())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('it asks as the table says, with the token and our own header', async () => {
  const asked: object[] = []
  const baseUrl = await served(({ method, url, headers }, response, body) => {
    const { authorization, 'x-treeline': own } = headers
    asked.push({ method, url, authorization, own, body })
    response.setHeader('content-type', 'application/json')
    response.end('{"id":"n 1","isEnabled":false,"version":7}')
  })
  const call = createCaller({ baseUrl, token: 'secret' })
  const params = { sessionId: 's1', nodeId: 'n/1' }
  expect(await call(routes.putNodeState, { params, body: { isEnabled: false } })).toMatchObject({ version: 7 })
  await call(routes.getTree, { params: { sessionId: 's1' }, query: { view: 'trunk', limit: 10 } })
  expect(asked).toEqual([
    {
      method: 'PUT',
      url: '/api/chat/s1/node/n%2F1/state',
      authorization: 'Bearer secret',
      own: '1',
      body: '{"isEnabled":false}',
    },
    { method: 'GET', url: '/api/chat/s1/tree?view=trunk&limit=10', authorization: 'Bearer secret', own: '1', body: '' },
  ])
})

test('a refusal has the code, the words and all that is known of it', async () => {
  const problem = { type: 'about:blank#stale_node', title: 'Stale', status: 409, code: 'stale_node', requestId: 'r1' }
  const baseUrl = await served((_, response) => {
    response.writeHead(409, { 'content-type': 'application/problem+json' })
    response.end(JSON.stringify({ ...problem, detail: 'It has changed.', currentVersion: 9 }))
  })
  const call = createCaller({ baseUrl })
  await expect(call(routes.undo, { params: { sessionId: 's1' }, body: {} })).rejects.toMatchObject({
    code: 'stale_node',
    message: 'It has changed.',
    problem: { currentVersion: 9 },
  })
})

test('an answer that is no answer of ours is told of as that', async () => {
  const baseUrl = await served((_, response) => response.writeHead(502).end('<h1>Bad gateway</h1>'))
  const call = createCaller({ baseUrl })
  await expect(call(routes.getLimits, {})).rejects.toThrow('The server answered with 502')
})

test('D3 what is safe to repeat is tried again when the line breaks, and nothing else is', async () => {
  let count = 0
  const baseUrl = await served((request, response) => {
    count++
    if (count === 1) request.socket.destroy()
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const call = createCaller({ baseUrl })
  const params = { sessionId: 's1' }
  await call(routes.getTree, { params })
  expect(count).toBe(2)
  count = 0
  await expect(call(routes.postMessage, { params, body: { parentId: null, content: 'Hi' } })).rejects.toThrow()
  expect(count).toBe(1)
  count = 0
  await call(routes.postMessage, { params, body: { parentId: null, content: 'Hi', nodeId: 'u1' } })
  expect(count).toBe(2)
})
