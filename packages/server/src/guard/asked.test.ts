import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { TreelineError } from '@treeline/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTempCredentials, type TempCredentials } from '../testing/temp-credentials.ts'
import { askedOf } from './asked.ts'
import { type GuardOptions, guard } from './guard.ts'
import { ownAddresses } from './own-addresses.ts'

let at: TempCredentials
let options: GuardOptions
let port: number
let token: string
let cookie: string

function judge(request: Parameters<typeof askedOf>[0], isUpgrade: boolean): string {
  try {
    return guard(askedOf(request, isUpgrade), 'read', options).name
  } catch (error) {
    return error instanceof TreelineError ? error.code : String(error)
  }
}

const server = createServer((request, response) => response.end(judge(request, false)))
server.on('upgrade', (request, socket) => socket.end(`HTTP/1.1 403 No\r\n\r\n${judge(request, true)}`))

beforeAll(async () => {
  at = makeTempCredentials()
  const credentials = at.open()
  token = await credentials.createToken({ name: 'mine', scope: 'read' })
  cookie = (await credentials.redeem(credentials.newCode()))!
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
  options = { ...ownAddresses([`http://127.0.0.1:${port}`]), credentials, cookieName: 'treeline-4123' }
})
afterAll(() => {
  server.close()
  at[Symbol.dispose]()
})

/** As bytes: clients of HTTP do not send such headers. */
async function send(...lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const ending = lines.some((line) => line.startsWith('Upgrade:')) ? [] : ['Connection: close']
  socket.write(['GET / HTTP/1.1', ...lines, ...ending, '', ''].join('\r\n'))
  const answer = await text(socket)
  return answer.slice(answer.indexOf('\r\n\r\n') + 4).replace(/^[0-9a-f]+\r\n|\r\n0\r\n\r\n$/g, '')
}

const host = () => `Host: 127.0.0.1:${port}`
const bearer = () => `Authorization: Bearer ${token}`

test('a request over the wire is seen as it was sent', async () => {
  expect(await send(host(), bearer())).toBe('mine')
  expect(await send(host(), `Cookie: treeline-4123=${cookie}`)).toBe('browser')
  expect(await send(host())).toBe('unauthorized')
})

test('K2 a second header that HTTP servers hide is seen', async () => {
  expect(await send(host(), 'Host: evil.example', bearer())).toBe('forbidden')
  expect(await send(host(), `Origin: http://127.0.0.1:${port}`, 'Origin: null', bearer())).toBe('forbidden')
  expect(await send(host(), bearer(), 'Authorization: Bearer x')).toBe('unauthorized')
  expect(await send(host(), 'Authorization: x', `Cookie: treeline-4123=${cookie}`)).toBe('unauthorized')
  expect(await send(host(), `Cookie: treeline-4123=${cookie}`, `Cookie: treeline-4123=${cookie}`)).toBe('unauthorized')
})

test('K2 the same guard stands before the upgrade', async () => {
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket']
  expect(await send(host(), ...upgrade)).toBe('unauthorized')
  expect(await send(host(), bearer(), ...upgrade)).toBe('mine')
  expect(await send('Host: evil.example', bearer(), ...upgrade)).toBe('forbidden')
  expect(await send(host(), `Cookie: treeline-4123=${cookie}`, ...upgrade)).toBe('forbidden')
  const origin = `Origin: http://127.0.0.1:${port}`
  expect(await send(host(), origin, `Cookie: treeline-4123=${cookie}`, ...upgrade)).toBe('browser')
})
