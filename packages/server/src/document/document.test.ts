import { execFile } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { OpenApi } from '@treeline/protocol'
import generateTypes, { type OpenAPI3 } from 'openapi-typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { CLIENT_PROGRAM } from './testing/client-program.ts'

const MODULES = resolve(import.meta.dirname, '../../../../node_modules')
const run = promisify(execFile)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

async function served(): Promise<OpenApi> {
  const response = await server.fetch('/api/chat/openapi.json')
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  return (await response.json()) as OpenApi
}

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  expect(await validator.validate({ ...(await served()) })).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
  const { paths, ...rest } = await served()
  expect(await validator.validate({ ...rest, paths: { 'no-slash': paths['/healthz']! } })).toMatchObject({
    valid: false,
  })
})

test('what is beside the table is in it: the way in, health, metrics, the WebSocket', async () => {
  const { paths } = await served()
  for (const path of ['/login', '/healthz', '/metrics', '/api/chat/ws', '/api/chat/docs']) {
    expect(paths[path], path).toHaveProperty('get')
  }
})

test('a client generated from it compiles, and does what it says', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-client-')))
  try {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(join(folder, 'api.ts'), await generateTypes((await served()) as unknown as OpenAPI3))
    writeFileSync(join(folder, 'program.ts'), CLIENT_PROGRAM)
    symlinkSync(MODULES, join(folder, 'node_modules'))
    const options = '--noEmit --strict --skipLibCheck --allowImportingTsExtensions --module nodenext --target es2023'
    const flags = [...options.split(' '), '--lib', 'es2024,dom', '--types', 'node']
    const compiler = [join(MODULES, 'typescript/bin/tsc'), ...flags, 'program.ts']
    // It says what is wrong on stdout, and only that it failed with its exit code.
    const compiled = run(process.execPath, compiler, { cwd: folder }).catch((error) => error)
    const said = run(process.execPath, ['program.ts', server.url, server.token], { cwd: folder })
    expect((await compiled).stdout).toBe('')
    expect(JSON.parse((await said).stdout)).toEqual({
      statuses: [201, 201, 200, 200, 200, 404],
      enabled: [false, true],
      opIds: ['string', 'string'],
      trunk: ['Said by a generated client'],
      code: 'node_not_found',
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
