import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFileStore } from '@treeline/store'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let above: string
beforeEach(() => {
  above = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-examples-')))
})
afterEach(() => rmSync(above, { recursive: true, force: true }))

interface Ran {
  readonly code: number | string
  readonly stdout: string
  readonly stderr: string
}

/** As a newcomer would, in an empty folder; without a home of its own or a key, whatever the machine has. */
function run(
  name: string,
  words: readonly string[],
  typed: string,
  env: Readonly<Record<string, string>>,
): Promise<Ran> {
  const file = join(import.meta.dirname, '../examples', name)
  const own = { HOME: join(above, 'user'), TMPDIR: above, TREELINE_DEMO_DELAY_MS: '0' }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', file, ...words],
      { cwd: above, env: { PATH: process.env.PATH ?? '', ...own, ...env } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
    child.stdin?.end(typed)
  })
}

/** What the one session in a home holds, read by a store that has not seen it. */
async function readSession(home: string) {
  await using store = await openFileStore({ home })
  const sessions = await store.list()
  expect(sessions).toHaveLength(1)
  await using session = await store.open(sessions[0]!.id!)
  const { messages } = await session.context()
  const types: string[] = []
  for await (const { type } of session.entries()) types.push(type)
  return { types, cwd: session.header.cwd, name: session.name, roles: messages.map(({ role }) => role), messages }
}

describe('agent.ts', () => {
  const asDemo = () => ({ TREELINE_HOME: join(above, 'home'), TREELINE_MODEL: 'demo/demo' })

  test('asks before a command runs, runs it, streams what is said, and keeps the session', async () => {
    const ran = await run('agent.ts', ['run "touch made.txt"'], 'y\n', asDemo())
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toContain('bash\ntouch made.txt\nMay it?')
    expect(ran.stdout).toContain('[bash is done]')
    expect(ran.stdout).toContain('The tool has answered:')
    expect(existsSync(join(above, 'made.txt'))).toBe(true)
    const kept = await readSession(join(above, 'home'))
    expect(kept).toMatchObject({ cwd: above, name: 'run "touch made.txt"' })
    expect(kept.roles).toEqual(['user', 'assistant', 'toolResult', 'assistant'])
  })

  test('runs nothing when nobody answers', async () => {
    const ran = await run('agent.ts', ['run', '"touch made.txt"'], '', asDemo())
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toContain('[bash failed]')
    expect(existsSync(join(above, 'made.txt'))).toBe(false)
    const { roles, messages } = await readSession(join(above, 'home'))
    expect(roles).toEqual(['user', 'assistant', 'toolResult', 'assistant'])
    expect(JSON.stringify(messages[2])).toContain('The user said no.')
  })

  test('says what is wrong, keeps the prompt and ends in good order when there is no such model', async () => {
    const ran = await run('agent.ts', ['Hello'], '', { ...asDemo(), TREELINE_MODEL: 'nobody/none' })
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toContain('There is no provider "nobody"')
    expect((await readSession(join(above, 'home'))).messages[0]).toMatchObject({ role: 'user', content: 'Hello' })
  })
})

describe('custom-compaction.ts', () => {
  const report = /last-2-turns: 4 nodes covered, 4 kept\nabout (\d+) tokens before, (\d+) now/

  test('compacts by its own policy, and undoing it gives the line back', async () => {
    const home = join(above, 'home')
    const ran = await run('custom-compaction.ts', [], '', { TREELINE_HOME: home })
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    const [, before, after] = report.exec(ran.stdout) ?? []
    expect(Number(after)).toBeLessThan(Number(before))
    expect(ran.stdout.match(/^ {2}user .*$/gm)?.map((line) => line.slice(13, 50))).toEqual([
      'Which cache policy?',
      'say 2000 words',
      'say 20 words',
      'Thank you.',
      'The conversation up to here, in short',
      'Thank you.',
    ])
    expect(ran.stdout).toContain('Undone: the line is what it was, byte for byte.')
    const { roles, types } = await readSession(home)
    expect(roles).toHaveLength(8)
    expect(types.filter((type) => type === 'compaction')).toHaveLength(1)
  })

  test('leaves nothing behind where no home is set', async () => {
    const ran = await run('custom-compaction.ts', [], '', {})
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toMatch(report)
    expect(readdirSync(above)).toEqual([])
  })
})
