import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { runTreeline, tempFolder } from '../testing/run-treeline.ts'

/** A server of models on this machine. */
async function serveModels(...ids: readonly string[]): Promise<string> {
  const server = createServer((_, response) => response.end(JSON.stringify({ data: ids.map((id) => ({ id })) })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Without Ollama and LM Studio, whatever runs on this machine. */
async function alone(): Promise<Record<string, string>> {
  const none = await serveModels()
  return { OLLAMA_HOST: none, LMSTUDIO_BASE_URL: `${none}/v1` }
}

test('without any key there is the demo, and what is on this machine', async () => {
  const env = await alone()
  const nothing = await runTreeline(['models'], { env })
  expect(nothing).toMatchObject({ code: 0, stderr: '' })
  expect(nothing.stdout).toMatch(/demo\/demo \(default\) +32\.0k +free +off–high +built in, not a real model\n/)
  expect(nothing.stdout).not.toContain('anthropic/')
  expect(nothing.stdout).toMatch(/\d+ more: treeline models --all/)

  const local = { ...env, OLLAMA_HOST: await serveModels('qwen3:8b', 'nomic-embed-text') }
  const found = (await runTreeline(['models', '--json'], { env: local })).json()
  expect(found.default).toBe('ollama/qwen3:8b')
  expect(found.models.map(({ ref }: { ref: string }) => ref)).toEqual(['ollama/qwen3:8b', 'demo/demo'])
})

test('a key makes the models of its provider usable; --all says what is missing for the others', async () => {
  const env = { ...(await alone()), OPENAI_API_KEY: 'sk-very-secret-key' }
  const usable = await callTreeline(['models'], { env, columns: 100 })
  expect(usable.stdout).toMatch(/openai\/gpt-6\.1-sol \(default\) +272k +2 \/ 10 +low–xhigh +OPENAI_API_KEY\n/)
  expect(usable.stdout).not.toContain('gpt-4o')
  const all = await callTreeline(['models', '--all'], { env, columns: 100 })
  expect(all.stdout).toMatch(/openai\/gpt-4o +128k +2\.5 \/ 10 +- +OPENAI_API_KEY/)
  expect(all.stdout).toMatch(/anthropic\/claude-opus-5-5 .* ✗ no key: ANTHROPIC_API_KEY/)
  const json = await callTreeline(['models', '--all', '--json'], { env })
  const { models } = json.json()
  expect(models.find(({ ref }: { ref: string }) => ref === 'openai/gpt-6.1-sol')).toEqual({
    ref: 'openai/gpt-6.1-sol',
    provider: 'openai',
    contextWindow: 272_000,
    maxOutput: 128_000,
    prices: { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
    thinking: ['low', 'medium', 'high', 'xhigh'],
    images: true,
    usable: true,
    where: 'OPENAI_API_KEY',
    old: false,
  })
  for (const { stdout, stderr } of [usable, all, json]) expect(stdout + stderr).not.toContain('secret')
})

test('the settings add models and correct what is listed', async () => {
  const home = join(tempFolder(), 'home')
  mkdirSync(home, { mode: 0o700 })
  const settings = {
    model: 'vllm/big',
    providers: { vllm: { baseUrl: 'http://10.0.0.5:8000/v1' } },
    models: { 'vllm/big': { contextWindow: 64_000 } },
  }
  writeFileSync(join(home, 'settings.json'), JSON.stringify(settings), { mode: 0o600 })
  const { stdout } = await callTreeline(['models'], { home, env: await alone() })
  expect(stdout).toMatch(/vllm\/big \(default\) +64\.0k +\? +- +http:\/\/10\.0\.0\.5:8000\/v1/)
})

test('keys that cannot be read leave a list that says so', async () => {
  const home = join(tempFolder(), 'home')
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(join(home, 'auth.json'), 'sk-oops', { mode: 0o600 })
  const ran = await callTreeline(['models', '--json'], { home, env: await alone() })
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('it is not JSON') })
  expect(ran.json().default).toBeNull()
  expect(ran.stdout + ran.stderr).not.toContain('sk-oops')
})
