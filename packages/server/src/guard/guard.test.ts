import { routes } from '@treeline/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTempCredentials, type TempCredentials } from '../testing/temp-credentials.ts'
import type { Asked } from './asked.ts'
import { cookieNameOf } from './cookie.ts'
import { type GuardOptions, guard } from './guard.ts'
import { ownAddresses } from './own-addresses.ts'

const HOST = '127.0.0.1:4123'
const ORIGIN = `http://${HOST}`
const addresses = ownAddresses([ORIGIN, 'http://localhost:4123', 'http://[::1]:4123'])

let at: TempCredentials
let options: GuardOptions
const secrets = { read: '', write: '', admin: '', cookie: '', revoked: '' }

beforeAll(async () => {
  at = makeTempCredentials()
  const credentials = at.open()
  options = { ...addresses, credentials, cookieName: cookieNameOf(ORIGIN) }
  for (const scope of ['read', 'write', 'admin'] as const) {
    secrets[scope] = await credentials.createToken({ name: `may-${scope}`, scope })
  }
  secrets.revoked = await credentials.createToken({ name: 'revoked', scope: 'admin' })
  await credentials.revoke('revoked')
  secrets.cookie = (await credentials.redeem(credentials.newCode()))!
})
afterAll(() => at[Symbol.dispose]())

type Headers = Readonly<Record<string, string | readonly string[]>>

function ask(headers: Headers, method = 'GET', isUpgrade = false): Asked {
  const lists = Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? [value] : value])
  return { method, isUpgrade, headers: { host: [HOST], ...Object.fromEntries(lists) } }
}

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
const cookie = () => ({ cookie: `treeline-4123=${secrets.cookie}` })
const forbidden = expect.objectContaining({ name: 'TreelineError', code: 'forbidden' })
const unauthorized = expect.objectContaining({ name: 'TreelineError', code: 'unauthorized' })

test.each([HOST, 'localhost:4123', 'LocalHost:4123', '[::1]:4123'])('it answers to the Host %j', (host) => {
  expect(guard(ask({ host, ...bearer(secrets.read) }), 'read', options).name).toBe('may-read')
})

test.each<[string, readonly string[]]>([
  ['missing', []],
  ['empty', ['']],
  ['twice', [HOST, HOST]],
  ['ours, then theirs', [HOST, 'evil.example']],
  ['theirs, then ours', ['evil.example', HOST]],
  ['rebound name', ['evil.example:4123']],
  ['no port', ['127.0.0.1']],
  ['other port', ['127.0.0.1:4124']],
  ['longer port', ['127.0.0.1:41230']],
  ['port with a zero', ['127.0.0.1:04123']],
  ['trailing dot', ['localhost.:4123']],
  ['longer name', ['127.0.0.1.evil.example:4123']],
  ['name before', ['evil-localhost:4123']],
  ['name above', ['evil.localhost:4123']],
  ['userinfo', ['127.0.0.1:4123@evil.example']],
  ['our userinfo', ['evil.example@127.0.0.1:4123']],
  ['list', [`${HOST}, evil.example`]],
  ['space', [` ${HOST}`]],
  ['scheme', [ORIGIN]],
  ['path', [`${HOST}/`]],
  ['IPv6 without brackets', ['::1:4123']],
  ['IPv6 without port', ['[::1]']],
  ['IPv6 in full', ['[0:0:0:0:0:0:0:1]:4123']],
  ['IPv4 in IPv6', ['[::ffff:127.0.0.1]:4123']],
  ['IPv6 with a zone', ['[::1%25lo]:4123']],
  ['other loopback', ['127.0.0.2:4123']],
  ['number', ['2130706433:4123']],
  ['any address', ['0.0.0.0:4123']],
])('K2 it does not answer to another Host, not even where everybody may ask: %s', (_, host) => {
  for (const scope of ['none', 'read'] as const) {
    expect(() => guard(ask({ host, ...bearer(secrets.admin) }), scope, options)).toThrow(forbidden)
  }
})

test('letters that only look the same in lower case make another Host', () => {
  const named = { ...options, ...ownAddresses(['http://desk:4123']) }
  expect(guard(ask({ host: 'DESK:4123' }), 'none', named)).toBeUndefined()
  expect(() => guard(ask({ host: 'des\u212A:4123' }), 'none', named)).toThrow(forbidden)
})

test.each([[[]], [[ORIGIN]], [['http://localhost:4123']], [['http://[::1]:4123']]])(
  'the Origin %j may ask',
  (origin) => {
    expect(guard(ask({ origin, ...bearer(secrets.read) }), 'read', options).name).toBe('may-read')
  },
)

test.each<[string, readonly string[]]>([
  ['null', ['null']],
  ['empty', ['']],
  ['twice', [ORIGIN, ORIGIN]],
  ['ours, then theirs', [ORIGIN, 'http://evil.example']],
  ['two in one', [`${ORIGIN} http://evil.example`]],
  ['other site', ['http://evil.example']],
  ['other scheme', ['https://127.0.0.1:4123']],
  ['other port', ['http://127.0.0.1:4124']],
  ['no port', ['http://127.0.0.1']],
  ['ours as its beginning', [`${ORIGIN}.evil.example`]],
  ['ours as its beginning, by port', [`${ORIGIN}0`]],
  ['ours as its end', ['http://evil.example?http://127.0.0.1:4123']],
  ['userinfo', [`${ORIGIN}@evil.example`]],
  ['trailing slash', [`${ORIGIN}/`]],
  ['trailing dot', ['http://localhost.:4123']],
  ['capitals', ['HTTP://LOCALHOST:4123']],
  ['no scheme', [HOST]],
])('K2 pages of another Origin may not ask, whatever they know: %s', (_, origin) => {
  for (const credential of [{}, bearer(secrets.admin), { ...cookie(), 'x-treeline': '1' }]) {
    for (const scope of ['none', 'read', 'admin'] as const) {
      expect(() => guard(ask({ origin, ...credential }), scope, options)).toThrow(forbidden)
    }
  }
})

test('a wrong Host is told of before a wrong Origin, and both before a wrong credential', () => {
  const wrong = { host: 'evil.example', origin: 'http://evil.example', ...bearer('x') }
  expect(() => guard(ask(wrong), 'read', options)).toThrow(/Host/)
  expect(() => guard(ask({ ...wrong, host: HOST }), 'read', options)).toThrow(/origins/)
})

test.each<[string, () => Headers]>([
  ['nothing', () => ({})],
  ['an empty header', () => ({ authorization: '' })],
  ['no token', () => ({ authorization: 'Bearer' })],
  ['an empty token', () => bearer('')],
  ['a bare token', () => ({ authorization: secrets.admin })],
  ['another scheme', () => ({ authorization: `Basic ${secrets.admin}` })],
  ['a token cut short', () => bearer(secrets.admin.slice(0, -1))],
  ['a longer token', () => bearer(`${secrets.admin}A`)],
  ['another last letter', () => bearer(secrets.admin.slice(0, -1) + (secrets.admin.endsWith('A') ? 'B' : 'A'))],
  ['two tokens in one', () => bearer(`${secrets.admin} ${secrets.admin}`)],
  ['two headers', () => ({ authorization: [`Bearer ${secrets.admin}`, `Bearer ${secrets.admin}`] })],
  ['a revoked token', () => bearer(secrets.revoked)],
  ['a cookie for a token', () => bearer(secrets.cookie)],
  ['a token for a cookie', () => ({ cookie: `treeline-4123=${secrets.admin}` })],
  ['an empty cookie', () => ({ cookie: 'treeline-4123=' })],
  ['a quoted cookie', () => ({ cookie: `treeline-4123="${secrets.cookie}"` })],
  [
    'a cookie of another name',
    () => ({
      cookie: `Treeline-4123=${secrets.cookie}; treeline-4124=${secrets.cookie}; xtreeline-4123=${secrets.cookie}`,
    }),
  ],
  ['two cookies', () => ({ cookie: `treeline-4123=${secrets.cookie}; treeline-4123=${secrets.cookie}` })],
  [
    'two headers of cookies',
    () => ({ cookie: [`treeline-4123=${secrets.cookie}`, `treeline-4123=${secrets.cookie}`] }),
  ],
])('K1 nobody is let in with %s, and all are told the same', (_, headers) => {
  const nothing = catchError(() => guard(ask({}), 'read', options))
  const error = catchError(() => guard(ask(headers()), 'read', options))
  expect(error).toEqual(unauthorized)
  expect(error).toEqual(nothing)
})

test('a wrong Authorization never falls back to the cookie', () => {
  const own = { ...cookie(), origin: ORIGIN, 'x-treeline': '1' }
  expect(guard(ask(own), 'admin', options).isBrowser).toBe(true)
  for (const authorization of ['', 'Bearer', 'Basic eDp4', `Bearer ${secrets.revoked}`, ['Bearer a', 'Bearer b']]) {
    expect(() => guard(ask({ ...own, authorization }), 'read', options)).toThrow(unauthorized)
  }
})

test('a right token counts, however its scheme is spelt and whatever cookies go along', () => {
  const headers = { authorization: `bEARER  ${secrets.write}`, cookie: `treeline-4123=${secrets.cookie}` }
  expect(guard(ask(headers), 'write', options)).toMatchObject({ name: 'may-write', scope: 'write', isBrowser: false })
})

test('each scope holds those below it and no other', () => {
  const scopes = ['read', 'write', 'admin'] as const
  for (const [had, token] of scopes.entries()) {
    for (const [needed, scope] of scopes.entries()) {
      const outcome = () => guard(ask(bearer(secrets[token]), 'POST'), scope, options).scope
      if (had >= needed) expect(outcome()).toBe(token)
      else expect(outcome).toThrow(forbidden)
    }
  }
})

test('everybody may ask for what needs no scope', () => {
  expect(guard(ask({}), 'none', options)).toBeUndefined()
  expect(guard(ask(bearer('wrong')), 'none', options)).toBeUndefined()
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'BREW', ''])(
  'K2 a change by cookie needs our own header: %s',
  (method) => {
    const change = { ...cookie(), origin: ORIGIN, 'sec-fetch-site': 'same-origin' }
    expect(() => guard(ask(change, method), 'write', options)).toThrow(/x-treeline/)
    // Nor does it help to call it an upgrade.
    expect(() => guard(ask(change, method, true), 'write', options)).toThrow(/x-treeline/)
    expect(guard(ask({ ...change, 'x-treeline': '1' }, method), 'write', options).name).toBe('browser')
    expect(guard(ask(bearer(secrets.write), method), 'write', options).name).toBe('may-write')
  },
)

test.each([['cross-site'], ['same-site'], [''], ['Same-Origin'], [['same-origin', 'cross-site']]])(
  'K2 a cookie does not count for a page that is %j',
  (site) => {
    const headers = { ...cookie(), 'x-treeline': '1', 'sec-fetch-site': site }
    expect(() => guard(ask(headers), 'read', options)).toThrow(forbidden)
    expect(guard(ask({ ...headers, ...bearer(secrets.read) }), 'read', options).name).toBe('may-read')
  },
)

test('a cookie counts for our own pages, typed addresses, and browsers that do not say', () => {
  for (const site of [['same-origin'], ['none'], []]) {
    expect(guard(ask({ ...cookie(), 'sec-fetch-site': site }), 'admin', options).isBrowser).toBe(true)
  }
  const among = { cookie: `a=1; treeline-4123=${secrets.cookie};b=2` }
  expect(guard(ask(among, 'HEAD'), 'read', options).name).toBe('browser')
})

test('K2 an upgrade by cookie needs an Origin of ours; a token needs none', () => {
  expect(() => guard(ask(cookie(), 'GET', true), 'read', options)).toThrow(/Origin/)
  expect(guard(ask({ ...cookie(), origin: ORIGIN }, 'GET', true), 'read', options).isBrowser).toBe(true)
  expect(guard(ask(bearer(secrets.read), 'GET', true), 'read', options).name).toBe('may-read')
})

test.each(Object.entries(routes))('K1, K2 %s refuses whoever may not ask', (_, { method, scope }) => {
  expect(scope).not.toBe('none')
  const own = bearer(secrets.admin)
  expect(guard(ask(own, method), scope, options)).toMatchObject({ name: 'may-admin' })
  expect(() => guard(ask({}, method), scope, options)).toThrow(unauthorized)
  expect(() => guard(ask({ ...own, host: 'evil.example' }, method), scope, options)).toThrow(forbidden)
  expect(() => guard(ask({ ...own, origin: 'null' }, method), scope, options)).toThrow(forbidden)
})

function catchError(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
