import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Entry } from '@treeline/core'
import { type BlobRef, isBlobRef, openFileStore } from '@treeline/store'
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../settings/settings.ts'
import { runShellCommand } from './shell-command.ts'

async function openSession() {
  const folder = mkdtempSync(join(tmpdir(), 'treeline-shell-'))
  const store = await openFileStore({ home: join(folder, 'home') })
  const session = await store.create({ cwd: folder })
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const { id } = await session.append({ type: 'message', message: { role: 'user', content: 'hi' } })
  return { env: { cwd: folder, settings: DEFAULT_SETTINGS, secrets: () => [SECRET] }, session, leafId: id, folder }
}

const SECRET = 'sk-0123456789abcdef'
const plain = { isExcluded: false, signal: new AbortController().signal }

test('what was typed behind ! is in the tree and in the line', async () => {
  const { env, session, leafId } = await openSession()
  const shown: string[] = []
  const onOutput = (text: string): void => void shown.push(text)
  const { entry, exitCode } = await runShellCommand(env, session, { ...plain, command: 'echo hello; exit 3', onOutput })
  expect(exitCode).toBe(3)
  const message = { role: 'bashExecution', command: 'echo hello; exit 3', output: 'hello\n', exitCode: 3 }
  expect(entry).toMatchObject({
    parentId: expect.any(String),
    message: { ...message, cancelled: false, truncated: false },
  })
  expect(session.leafId).toBe(entry.id)
  expect(session.tree.columns.parent[session.tree.ids.find(entry.id)]).toBe(session.tree.ids.find(leafId))
  expect(shown.join('')).toBe('hello\n')
  expect(JSON.stringify((await session.line()).messages)).toContain('hello')
})

test('what was typed behind !! is in the tree and not in the line', async () => {
  const { env, session } = await openSession()
  const { entry } = await runShellCommand(env, session, { ...plain, isExcluded: true, command: 'echo hello' })
  expect(entry.message).toMatchObject({ excludeFromContext: true, output: 'hello\n' })
  expect(JSON.stringify((await session.line()).messages)).not.toContain('hello')
})

test('D6 the attempt is in the log before the command runs, and names the node to come', async () => {
  const { env, session, folder } = await openSession()
  const command = `cat ${session.path} > ${join(folder, 'seen')}`
  const { entry } = await runShellCommand(env, session, { ...plain, command })
  const seen = readFileSync(join(folder, 'seen'), 'utf8').trim().split('\n')
  const attempt = JSON.parse(seen.at(-1)!) as Entry
  expect(attempt).toMatchObject({
    customType: 'treeline/attempt',
    data: { nodeId: entry.id, command, isExcluded: false },
  })
})

test('long output is kept whole in a blob', async () => {
  const { env, session } = await openSession()
  const { entry } = await runShellCommand(env, session, { ...plain, command: 'seq 1 50000' })
  const { truncated, fullOutputPath } = entry.message as { truncated: boolean; fullOutputPath: BlobRef }
  expect(truncated).toBe(true)
  expect(isBlobRef(fullOutputPath)).toBe(true)
  expect(Buffer.from((await session.readBlob(fullOutputPath))!).toString()).toMatch(/^1\n2\n[\d\n]+\n50000\n$/)
})

test('cancelling keeps what came', async () => {
  const { env, session } = await openSession()
  const cancel = new AbortController()
  const command = 'echo before; sleep 300'
  const given = { command, isExcluded: false, signal: cancel.signal, onOutput: () => cancel.abort() }
  const { entry, exitCode } = await runShellCommand(env, session, given)
  expect(entry.message).toMatchObject({ cancelled: true, output: 'before\n' })
  expect(exitCode).toBeUndefined()
})

test('what was cancelled before it began leaves nothing', async () => {
  const { env, session, leafId, folder } = await openSession()
  const given = { command: 'touch ran', isExcluded: false, signal: AbortSignal.abort() }
  await expect(runShellCommand(env, session, given)).rejects.toMatchObject({ name: 'AbortError' })
  expect(session.leafId).toBe(leafId)
  expect(existsSync(join(folder, 'ran'))).toBe(false)
})

test('a command that takes too long, or cannot be started, says so in its output', async () => {
  const { env, session } = await openSession()
  const short = { ...env, settings: { ...env.settings, bashTimeoutMs: 300 } }
  const slow = await runShellCommand(short, session, { ...plain, command: 'echo a; sleep 300' })
  expect(slow.entry.message).toMatchObject({
    output: 'a\n\n[ended after 0.3 seconds: it took too long]',
    cancelled: false,
  })
  const { entry } = await runShellCommand(env, session, { ...plain, command: 'echo \0' })
  expect(entry.message).toMatchObject({ output: expect.stringContaining('NUL'), cancelled: false })
})

test('whoever has gone to another branch meanwhile stays there', async () => {
  const { env, session, leafId } = await openSession()
  let moved: Promise<Entry> | undefined
  const onOutput = (): void => {
    moved ??= session.append({ type: 'message', message: { role: 'user', content: 'elsewhere' } }, { parentId: null })
  }
  const { entry } = await runShellCommand(env, session, { ...plain, command: 'echo a; sleep 0.3', onOutput })
  expect(session.leafId).toBe((await moved)!.id)
  const { columns, ids } = session.tree
  expect(columns.parent[ids.find(entry.id)]).toBe(ids.find(leafId))
})

test('a key that a command prints is in no log and no blob', async () => {
  const { env, session } = await openSession()
  const command = `printf '%s%s\\n' KEY=sk-01234 56789abcdef > key; yes "$(cat key)" | head -9000`
  const { entry } = await runShellCommand(env, session, { ...plain, command })
  const { output, fullOutputPath } = entry.message as { readonly output: string; readonly fullOutputPath: BlobRef }
  expect(output).toContain('KEY=***')
  expect(output).not.toContain(SECRET)
  const whole = await session.readBlob(fullOutputPath)
  expect(Buffer.from(whole!).toString().split('KEY=***\n')).toHaveLength(9001)
})
