import { expect, test } from 'vitest'
import { freePort, serveLoopback } from '../testing/loopback-server.ts'
import { findLocalModels } from './local-models.ts'

const headers = {}
const models = (...ids: readonly unknown[]) => JSON.stringify({ object: 'list', data: ids.map((id) => ({ id })) })

test('the models of a server on this machine, without those that only make vectors', async () => {
  const ids = ['qwen3:8b', 'hf.co/some/Model:Q4', 'nomic-embed-text', 'text-embedding-x', 'qwen3:8b']
  await using server = await serveLoopback((_, response) => response.end(models(...ids)))
  const found = await findLocalModels({ baseUrl: `${server.url}/v1`, headers })
  expect(found).toEqual(['qwen3:8b', 'hf.co/some/Model:Q4'])
  expect(server.asked).toMatchObject([{ method: 'GET', url: '/v1/models' }])
})

test('nobody there is none, and no error', async () => {
  expect(await findLocalModels({ baseUrl: `http://127.0.0.1:${await freePort()}/v1`, headers })).toEqual([])
})

test('a server that never answers is waited for shortly', async () => {
  await using server = await serveLoopback(() => {})
  const before = performance.now()
  expect(await findLocalModels({ baseUrl: server.url, headers })).toEqual([])
  expect(performance.now() - before).toBeLessThan(2_000)
})

test('a server that begins and never ends is waited for shortly', async () => {
  await using server = await serveLoopback((_, response) => response.write('{"data":['))
  expect(await findLocalModels({ baseUrl: server.url, headers })).toEqual([])
})

test.each([
  ['no JSON', 'Ollama is running'],
  ['null', 'null'],
  ['no list', '{"data":{"id":"x"}}'],
  ['empty', ''],
  ['2 MB', models('x'.repeat(2_000_000))],
  ['names that are none', models(5, null, '', 'a b', 'x\u001b[31m', 'y'.repeat(201))],
  ['things that are none', '{"data":[null,5,"x",[]]}'],
])('%s is none', async (_, body) => {
  await using server = await serveLoopback((__, response) => response.end(body))
  expect(await findLocalModels({ baseUrl: server.url, headers })).toEqual([])
})

test('an error is none', async () => {
  await using server = await serveLoopback((_, response) => response.writeHead(401).end(models('x')))
  expect(await findLocalModels({ baseUrl: server.url, headers })).toEqual([])
})

test('K6 only this machine is asked, and nobody sends us elsewhere', async () => {
  const asked: string[] = []
  const fetch = async (url: string | URL | Request) => {
    asked.push(String(url))
    return new Response(models('x'))
  }
  for (const baseUrl of ['http://10.0.0.5:11434/v1', 'http://localhost.evil.test/v1', 'http://127.0.0.1.evil.test']) {
    expect(await findLocalModels({ baseUrl, headers }, fetch)).toEqual([])
  }
  expect(asked).toEqual([])
  await using target = await serveLoopback((_, response) => response.end(models('x')))
  await using server = await serveLoopback((_, response) => response.writeHead(302, { location: target.url }).end())
  expect(await findLocalModels({ baseUrl: server.url, headers })).toEqual([])
  expect(target.asked).toEqual([])
})
