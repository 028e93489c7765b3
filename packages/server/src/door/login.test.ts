import { afterAll, beforeAll, expect, test } from 'vitest'
import { askRaw, BY_HAND, type RawAnswer } from '../testing/ask-raw.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

let at: TestServer
beforeAll(async () => {
  at = await startTestServer()
})
afterAll(() => at[Symbol.asyncDispose]())

const open = (url: string, headers: Readonly<Record<string, string>> = BY_HAND) => askRaw(url, { headers })
const cookieOf = (answer: RawAnswer) => answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''

test('K1 the printed link logs a browser in, once, and leads to where no code stands in the address', async () => {
  const url = at.server.newLoginUrl()
  const answer = await open(url)
  expect(answer).toMatchObject({
    status: 303,
    headers: { location: '/', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' },
  })
  const [cookie] = answer.headers['set-cookie'] ?? []
  expect(cookie).toMatch(
    new RegExp(`^treeline-${at.server.port}=[\\w-]{43}; Path=/; Max-Age=\\d+; HttpOnly; SameSite=Strict$`),
  )
  const page = await open(`${at.url}/`, { ...BY_HAND, cookie: cookieOf(answer) })
  expect(page.status).toBe(200)
  const again = await open(url)
  expect(again.status).toBe(401)
  expect(again.headers['set-cookie']).toBeUndefined()
  expect(again.body).toMatch(/This link does not count[\s\S]*press <kbd>Enter/)
})

test('whoever is in already and opens the used link once more is let through', async () => {
  const url = at.server.newLoginUrl()
  const cookie = cookieOf(await open(url))
  expect(await open(url, { ...BY_HAND, cookie })).toMatchObject({ status: 303, headers: { location: '/' } })
})

test.each<[string, Readonly<Record<string, string>>, number]>([
  ['a browser that fetches ahead', { ...BY_HAND, 'sec-purpose': 'prefetch;prerender' }, 503],
  ['an older browser that fetches ahead', { purpose: 'prefetch' }, 503],
  ['a link preview', { accept: '*/*', 'user-agent': 'Slackbot-LinkExpanding' }, 200],
  ['an image of another page', { ...BY_HAND, 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' }, 200],
  ['a frame', { ...BY_HAND, 'sec-fetch-dest': 'iframe' }, 200],
  ['a link of another site', { ...BY_HAND, 'sec-fetch-site': 'cross-site' }, 200],
])('%s does not use the code up', async (_, headers, status) => {
  const url = at.server.newLoginUrl()
  const first = await open(url, headers)
  expect(first.status).toBe(status)
  expect(first.headers['set-cookie']).toBeUndefined()
  expect((await open(url)).status).toBe(303)
})

test('whoever may be no person presses a button, which another site cannot press', async () => {
  const page = await open(at.server.newLoginUrl(), { accept: 'text/html' })
  const [, code] = /name="code" value="([\w-]{43})"/.exec(page.body) ?? []
  // A browser would call the origin of a form `null` if its page kept quiet about where it stands.
  expect(page.headers['referrer-policy']).toBe('same-origin')
  expect(page.headers['content-security-policy']).toContain("form-action 'self'")
  const press = (origin: string, body = `code=${code}`, type = 'application/x-www-form-urlencoded') =>
    askRaw(`${at.url}/login`, { method: 'POST', headers: { origin, 'content-type': type }, body })
  expect((await press('http://evil.example')).status).toBe(403)
  expect((await press('null')).status).toBe(403)
  expect((await press(at.url, `code=${code}`, 'text/plain')).status).toBe(415)
  expect((await press(at.url, 'x'.repeat(5_000))).status).toBe(413)
  expect((await press(at.url, 'code=')).status).toBe(401)
  expect(await press(at.url)).toMatchObject({ status: 303, headers: { location: '/' } })
  expect((await press(at.url)).status).toBe(401)
})

test.each(['', '?code=', '?code=<script>', `?code=${'a'.repeat(43)}`, '?code=a&code=b', '?%'])(
  'a link that is none is refused in words, and nothing of it comes back: %j',
  async (query) => {
    const answer = await open(`${at.url}/login${query}`)
    expect(answer.status).toBe(401)
    expect(answer.body).not.toMatch(/aaaa|<script/)
  },
)

test('whoever reads Chinese is told in Chinese: the button, a link that does not count, and that nobody is logged in', async () => {
  const chinese = { 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' }
  const button = await open(at.server.newLoginUrl(), { accept: 'text/html', ...chinese })
  expect(button).toMatchObject({
    status: 200,
    body: expect.stringMatching(/lang="zh-Hans"[\s\S]*<button>登录<\/button>/),
  })
  const refused = await open(`${at.url}/login?code=`, { ...BY_HAND, ...chinese })
  expect(refused).toMatchObject({ status: 401, body: expect.stringMatching(/此链接无效[\s\S]*按 <kbd>Enter/) })
  const form = { ...chinese, origin: at.url, 'content-type': 'application/x-www-form-urlencoded' }
  const pressed = await askRaw(`${at.url}/login`, { method: 'POST', headers: form, body: 'code=' })
  expect(pressed).toMatchObject({ status: 401, body: expect.stringContaining('此链接无效') })
  const outside = await open(`${at.url}/`, { ...BY_HAND, ...chinese })
  expect(outside).toMatchObject({ status: 401, body: expect.stringContaining('尚未登录') })
  expect((await open(`${at.url}/`)).body).toMatch(/lang="en"[\s\S]*Not logged in/)
})

test('a program with a token of the scope admin gets a link for a browser; with less it does not', async () => {
  const made = await at.fetch('/login/code', { method: 'POST' })
  expect(made.status).toBe(201)
  const { url } = (await made.json()) as { url: string }
  expect((await open(url)).status).toBe(303)
  const token = await at.credentials.createToken({ name: 'writes', scope: 'write' })
  const refused = await at.fetch('/login/code', { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  expect(refused.status).toBe(403)
})

test('neither codes nor cookies get into the log', async () => {
  const url = at.server.newLoginUrl()
  const cookie = cookieOf(await open(url))
  const logged = JSON.stringify(at.logged)
  expect(logged).toContain('"route":"login"')
  expect(logged).not.toContain(url.slice(-43))
  expect(logged).not.toContain(cookie.slice(-43))
})
