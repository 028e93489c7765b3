import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { askRaw, BY_HAND } from '../testing/ask-raw.ts'
import { makeSelfSigned } from '../testing/self-signed.ts'
import { startTestServer } from '../testing/test-server.ts'
import { planAddresses } from './addresses.ts'
import { readCertificate } from './tls.ts'

test.each(['0.0.0.0', '::', '192.168.1.5', 'my-machine', '10.127.0.1', '127.evil.example', '[::]'])(
  'K2 %s would let others read along, so it needs TLS or a proxy that has it',
  (host) => {
    expect(() => planAddresses({ host })).toThrow(/--tls-cert FILE and --tls-key FILE, or --behind-proxy/)
    expect(planAddresses({ host, proxyUrl: 'https://notes.example' }).urls(4123)[0]).toBe('https://notes.example')
  },
)

test('what is bound says what it is called', () => {
  const urls = (host?: string) => planAddresses({ host }).urls(4123)
  expect(urls()).toEqual(['http://127.0.0.1:4123', 'http://localhost:4123'])
  expect(urls('localhost')).toEqual(urls())
  expect(urls('::1')).toEqual(['http://[::1]:4123', 'http://localhost:4123'])
  expect(urls('127.0.0.2')).toEqual(['http://127.0.0.2:4123'])
})

test.each(['http://notes.example', 'notes.example', 'https://notes.example/path', 'ftp://x'])(
  'the proxy %s is refused: browsers must get there by TLS, and to the top',
  (proxyUrl) => {
    expect(() => planAddresses({ proxyUrl })).toThrow(expect.objectContaining({ name: 'TreelineError' }))
  },
)

test('with a certificate we are called what it certifies, and tell people a name that their browser accepts', () => {
  const tls = makeSelfSigned(['notes.example', '*.example', '192.168.1.5'])
  expect(planAddresses({ host: '0.0.0.0', tls }).urls(443)).toEqual([
    'https://notes.example',
    'https://192.168.1.5',
    'https://127.0.0.1',
    'https://localhost',
  ])
  expect(planAddresses({ host: '192.168.1.5', tls }).urls(4123)[0]).toBe('https://192.168.1.5:4123')
  expect(planAddresses({ host: '10.0.0.1', tls }).urls(4123)[0]).toBe('https://notes.example:4123')
})

test('a certificate that gets nobody anywhere is refused at the start', () => {
  const [one, other] = [makeSelfSigned(['a.example']), makeSelfSigned(['a.example'], Date.now() - 1_000)]
  expect(() => readCertificate({ cert: one.cert, key: other.key })).toThrow(/not that of the certificate/)
  expect(() => readCertificate(other)).toThrow(/Renew it/)
  expect(() => readCertificate({ cert: 'x', key: one.key })).toThrow(/The certificate cannot be read/)
  expect(() => readCertificate({ cert: one.cert, key: 'x' })).toThrow(/The key cannot be read/)
})

test('over TLS the cookie goes nowhere else, and the same guard stands at the door', async () => {
  const tls = makeSelfSigned(['localhost'])
  await using at = await startTestServer({ listening: { tls } })
  expect(at.url).toBe(`https://localhost:${at.server.port}`)
  const ca = tls.cert
  const login = await askRaw(at.server.newLoginUrl(), { headers: BY_HAND, ca })
  const [cookie = ''] = login.headers['set-cookie'] ?? []
  expect(cookie).toMatch(new RegExp(`^__Host-treeline-${at.server.port}=.*; Secure$`))
  const headers = { ...BY_HAND, cookie: cookie.split(';')[0]! }
  expect((await askRaw(`${at.url}/`, { headers, ca })).status).toBe(200)
  expect((await askRaw(`${at.url}/`, { headers: { ...headers, host: 'evil.example' }, ca })).status).toBe(403)
  await expect(askRaw(`http://localhost:${at.server.port}/healthz`)).rejects.toThrow()
})

test('behind a proxy its name counts, and the link and the cookie are for it', async () => {
  await using at = await startTestServer({ listening: { proxyUrl: 'https://notes.example' } })
  const link = new URL(at.server.newLoginUrl())
  expect(link.origin).toBe('https://notes.example')
  const headers = { ...BY_HAND, host: 'notes.example' }
  const login = await askRaw(`http://127.0.0.1:${at.server.port}${link.pathname}${link.search}`, { headers })
  expect(login.headers['set-cookie']?.[0]).toMatch(/^__Host-treeline-443=.*; Secure$/)
})

test('a port that others have is passed by, up to where it was said to look', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  await expect(startTestServer({ listening: { port } })).rejects.toThrow(`Port ${port} is in use`)
  await using at = await startTestServer({ listening: { port, portTries: 20 } })
  expect(at.server.port).toBeGreaterThan(port)
  expect((await askRaw(`${at.url}/healthz`)).status).toBe(200)
})

test('an address that is not ours is refused in words', async () => {
  const tls = makeSelfSigned(['localhost'])
  await expect(startTestServer({ listening: { host: '203.0.113.7', tls } })).rejects.toThrow(
    /no address of this machine/,
  )
})
