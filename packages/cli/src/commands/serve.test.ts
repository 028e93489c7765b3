import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { openStream } from '@treeline/protocol'
import { askRaw, BY_HAND, makeSelfSigned } from '@treeline/server/testing'
import { expect, onTestFinished, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { readKept } from '../testing/chat-terminal.ts'
import { runTreeline, tempFolder } from '../testing/run-treeline.ts'
import { type ServedProcess, serveTreeline } from '../testing/serving.ts'

async function logIn({ loginUrl }: ServedProcess, ca?: string): Promise<string> {
  const { status, headers } = await askRaw(loginUrl, { headers: BY_HAND, ...(ca && { ca }) })
  expect(status).toBe(303)
  return headers['set-cookie']![0]!.split(';')[0]!
}

async function makeToken(home: string, scope: string): Promise<string> {
  const { stdout } = await runTreeline(['token', 'create', `a-${scope}`, '--scope', scope], { home })
  return stdout.trim()
}

/** As a page of ours asks. */
async function ask({ url }: ServedProcess, cookie: string, path: string, body?: object) {
  const headers = { cookie, 'x-treeline': '1', 'content-type': 'application/json' }
  const answer = await askRaw(url + path, {
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return { status: answer.status, json: JSON.parse(answer.body) }
}

test('K1 it prints one link, which lets a browser in to the sessions of the home; Ctrl+C ends it well', async () => {
  const served = await serveTreeline(['--port', '0', '--sample'])
  expect(served.url).toBe(`http://127.0.0.1:${served.port}`)
  expect((await askRaw(`${served.url}/api/chat/sessions`)).status).toBe(401)
  const cookie = await logIn(served)
  const { json } = await ask(served, cookie, '/api/chat/sessions')
  expect(json.items).toMatchObject([{ title: 'Sample: which cache?', tags: ['sample'] }])
  served.kill('SIGINT')
  expect(await served.exit).toBe(0)
  expect(served.stdout().trim().split('\n')).toHaveLength(1)
  expect(served.stderr()).toBe('Stopping: answers have a few seconds to end. Ctrl+C again stops at once.\n')
  // It was made for a home without any.
  const again = await serveTreeline(['--port', '0', '--sample'], { home: served.home })
  expect(JSON.parse(again.stdout()).sampleId).toBe(null)
})

test('two servers of one home work side by side: each has its port and its cookie, and both see the same', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const home = join(tempFolder(), 'home')
  const one = await serveTreeline(['--port', String(port)], { home })
  const other = await serveTreeline(['--port', String(port)], { home })
  expect(new Set([port, one.port, other.port]).size).toBe(3)
  const cookies = [await logIn(one), await logIn(other)]
  // A browser sends all cookies of a host to each of its ports.
  const both = cookies.join('; ')
  const made = await ask(one, both, '/api/chat/sessions', { title: 'Made here' })
  expect(made.status).toBe(201)
  const seen = await ask(other, both, `/api/chat/${made.json.sessionId}/tree`)
  expect(seen.json).toMatchObject({ title: 'Made here' })
})

test('a port that is taken is told of', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const ran = await runTreeline(['serve', '--check', '--port', String(port)])
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toMatch(new RegExp(`Port ${port} is in use, so it is \\d+\\.`))
  expect(ran.stdout).toContain('✓ nobody gets in without a credential')
  const behind = ['serve', '--port', String(port), '--behind-proxy', 'https://notes.example']
  expect(await callTreeline(behind)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`Port ${port} is in use.`),
  })
})

test.each<[readonly string[], string]>([
  [['--host', '0.0.0.0'], 'Give --tls-cert FILE and --tls-key FILE, or --behind-proxy https://NAME'],
  [['--host', '0.0.0.0', '--behind-proxy', 'http://notes.example'], 'is not https'],
  [['--tls-cert', 'cert.pem'], 'Give both --tls-cert and --tls-key'],
  [['--tls-cert', 'no.pem', '--tls-key', 'no.pem'], 'no.pem cannot be read (ENOENT)'],
  [['--port', '70000'], '"70000" is no port'],
])('%j is refused, with what to do', async (words, message) => {
  const ran = await callTreeline(['serve', ...words])
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain(message)
})

test('over TLS it is reached under the name of the certificate', async () => {
  const tls = makeSelfSigned(['localhost'])
  const folder = tempFolder()
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  writeFileSync(cert, tls.cert)
  writeFileSync(key, tls.key)
  const served = await serveTreeline(['--port', '0', '--tls-cert', cert, '--tls-key', key])
  expect(served.url).toBe(`https://localhost:${served.port}`)
  expect(await logIn(served, tls.cert)).toMatch(/^__Host-treeline-/)
})

test('the end waits for an answer on its way, and who follows it hears all of it', async () => {
  const served = await serveTreeline(['--port', '0', '--log', 'info'], { env: { TREELINE_DEMO_DELAY_MS: '8' } })
  const token = await makeToken(served.home, 'write')
  const cookie = await logIn(served)
  const { sessionId } = (await ask(served, cookie, '/api/chat/sessions', {})).json
  const told: string[] = []
  const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>()
  const url = `${served.url.replace('http', 'ws')}/api/chat/ws`
  const headers = { authorization: `Bearer ${token}` }
  // Node's own takes headers, which the types of a browser's do not know.
  const connect = (protocols: string) => new WebSocket(url, { protocols, headers } as unknown as string)
  const { promise: isCut, resolve: cut } = Promise.withResolvers<void>()
  const stream = openStream({ connect, onState: (state) => state === 'waiting' && cut() })
  onTestFinished(() => stream.close())
  stream.subscribe({
    sessionId,
    afterSeq: 1,
    onSnapshotRequired: () => {},
    onEvents(events) {
      told.push(...events.map(({ type }) => type))
      if (told.includes('node.content.updated')) begin()
    },
  })
  const said = { parentId: null, content: 'An unusual sentence, to be found again.', generate: [{}] }
  expect((await ask(served, cookie, `/api/chat/${sessionId}/message`, said)).status).toBe(202)
  await hasBegun
  served.kill('SIGTERM')
  expect(await served.exit).toBe(0)
  await isCut
  const kept = await readKept(served.home)
  expect(kept.text).toContain('You said: “An unusual sentence')
  expect(kept.text).toContain('"stopReason":"stop"')
  expect(told.at(-1)).toBe('node.completed')
  // Each line of the log is JSON, and none says what was said or how somebody got in.
  const lines = served
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  expect(lines.map((line) => JSON.parse(line).route)).toContain('postMessage')
  for (const secret of ['unusual', token, cookie, served.loginUrl.slice(-43)])
    expect(served.stderr()).not.toContain(secret)
})

test('a second Ctrl+C does not wait; one that npm passes on at the same moment is no second one', async () => {
  const served = await serveTreeline(['--port', '0'], { env: { TREELINE_DEMO_DELAY_MS: '400' } })
  const cookie = await logIn(served)
  const { sessionId } = (await ask(served, cookie, '/api/chat/sessions', {})).json
  const said = { parentId: null, content: 'Slowly, please.', generate: [{}] }
  expect((await ask(served, cookie, `/api/chat/${sessionId}/message`, said)).status).toBe(202)
  served.kill('SIGINT')
  await served.said('Stopping')
  served.kill('SIGINT')
  const again = setInterval(() => served.kill('SIGINT'), 200)
  onTestFinished(() => clearInterval(again))
  const startedAt = performance.now()
  expect(await served.exit).toBe(130)
  expect(performance.now() - startedAt).toBeGreaterThan(300)
  expect(performance.now() - startedAt).toBeLessThan(3_000)
})
