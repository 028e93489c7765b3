import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { isAlive } from '../testing/is-alive.ts'

test('a command does not outlive a process that exits while it runs', async () => {
  const url = new URL('./run-command.ts', import.meta.url).href
  const program = `
    const { runCommand } = await import(${JSON.stringify(url)})
    const onOutput = (text) => { process.stdout.write(text, () => process.exit(0)) }
    await runCommand('echo $$; sleep 300', { cwd: '/', timeoutMs: 60000, signal: new AbortController().signal, onOutput })
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  await once(child, 'close')
  const shellId = Number(text)
  expect(shellId).toBeGreaterThan(1)
  await vi.waitFor(() => expect(isAlive(shellId)).toBe(false))
})
