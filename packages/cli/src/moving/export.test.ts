import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { sampleHome } from '../testing/sample-home.ts'

test('export writes to standard output by default, byte for byte what goes to a file', async () => {
  const { id, ...at } = await sampleHome()
  const piped = await callTreeline(['export', id], at)
  expect(piped.code).toBe(0)
  expect(piped.stdout.split('\n').filter(Boolean)).toHaveLength(7)
  const filed = await callTreeline(['export', id, '-o', 'copy.jsonl'], at)
  expect(filed.stdout).toMatch(/^Written: .*copy\.jsonl \(.*, [\d.]+ KB\)\n$/)
  expect(readFileSync(join(at.cwd, 'copy.jsonl'), 'utf8')).toBe(piped.stdout)
})

test('the name of the output says the format, and a path can be chosen', async () => {
  const { id, ...at } = await sampleHome()
  const made = await callTreeline(['export', id, '-o', 'chat.md', '--trunk', '--leaf', 'rep00002', '--json'], at)
  expect(made.json()).toMatchObject({ path: join(at.cwd, 'chat.md'), format: 'markdown' })
  const text = readFileSync(join(at.cwd, 'chat.md'), 'utf8')
  expect(text).toContain('Make it go on.')
  expect(text).not.toContain('Why the first?')
  expect(made.json().bytes).toBe(Buffer.byteLength(text))
})

test('K5 a page is named for the session, for its owner only, and overwrites nothing', async () => {
  const { id, ...at } = await sampleHome()
  const page = join(at.cwd, `${id}.html`)
  const made = await callTreeline(['export', id, '--html'], at)
  expect(made.stdout).toContain(`Written: ${page} (`)
  expect(statSync(page).mode & 0o777).toBe(0o600)
  writeFileSync(page, 'mine')
  const taken = await callTreeline(['export', id, '--html'], at)
  expect(taken).toMatchObject({ code: 4, stderr: expect.stringContaining('was left as it is') })
  expect(readFileSync(page, 'utf8')).toBe('mine')
  expect((await callTreeline(['export', id, '--html', '--force'], at)).code).toBe(0)
  expect(readFileSync(page, 'utf8')).toContain('Where does the parser stop?')
  expect(readdirSync(at.cwd).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

test('R2 what does not fit together is refused, and says what to do', async () => {
  const { id, ...at } = await sampleHome()
  const refusals = [
    [['--html', '--markdown'], 'Give one format, not html and markdown.'],
    [['--format', 'pdf'], '--format takes jsonl, pi'],
    [['--redact', '--no-redact'], 'not both'],
    [['--leaf', 'nothere'], 'There is no node "nothere"'],
    [['-o', 'no/such/folder/x.md'], 'There is no folder '],
    [['-o', '.'], 'is a folder. Give the name of a file'],
    [['-o', '-', '--json'], 'give -o FILE'],
  ] as const
  for (const [words, message] of refusals) {
    const ran = await callTreeline(['export', id, ...words], at)
    expect(ran.code, words.join(' ')).not.toBe(0)
    expect(ran.stderr).toMatch(message)
  }
})

test('I4 the session itself is never overwritten', async () => {
  const { path, ...at } = await sampleHome()
  const bytes = readFileSync(path)
  const ran = await callTreeline(['export', path, '--format', 'pi', '-o', path, '--force'], at)
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('is the session itself') })
  expect(readFileSync(path)).toEqual(bytes)
})

test('Ctrl+C leaves no file behind', async () => {
  const { id, ...at } = await sampleHome()
  const ran = await callTreeline(['export', id, '-o', 'x.jsonl'], { ...at, signal: AbortSignal.abort() })
  expect(ran).toMatchObject({ code: 130, stderr: 'Stopped.\n' })
  expect(readdirSync(at.cwd)).toEqual([])
})
