import { appendFileSync, copyFileSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { UserHome } from '../testing/user-home.ts'

const at = (day: number) => `2026-03-0${day}T10:00:00.000Z`

function plant(user: UserHome): void {
  const failed = { toolCallId: 't', toolName: 'bash', isError: true }
  user.plantPi('pi-session-aaaaaaaa', user.project, [
    { role: 'user', text: 'why is the pelican flaky', at: at(1) },
    { role: 'assistant', text: 'The pelican waits for \u001b]0;owned\u0007 a timeout', at: at(1) },
    { role: 'toolResult', text: 'pelican: not found', at: at(2), more: failed },
  ])
  user.plantPi('xcsh-session-bbbbbbbb', '/elsewhere', [{ role: 'user', text: 'a pelican poem', at: at(3) }], 'xcsh')
}

test('what was said is found in every session, newest first, and nothing of other tools changes', async () => {
  const user = new UserHome()
  plant(user)
  const before = user.fingerprint()
  const { code, stdout } = await user.run(['search', 'pelican', '--color', 'always'], { NO_COLOR: '' })
  expect(code).toBe(0)
  const plain = stripVTControlCharacters(stdout)
  expect(plain).toMatch(/^bbbbbbbb {2}xcsh /)
  expect(plain).toContain('  xcsh-session-bbbbbbbb-0  user  2026-03-03 10:00\n      a pelican poem\n\naaaaaaaa  pi')
  expect(plain).toContain('tool result · bash · failed')
  expect(plain).toContain('Read one: treeline show bbbbbbbb xcsh-session-bbbbbbbb-0')
  expect(stdout).toContain('a \u001b[7mpelican\u001b[27m poem')
  expect(stdout).not.toContain('\u001b]0;')
  expect(user.fingerprint()).toEqual(before)
})

test('R2 copies, which have one id, are told apart by their paths', async () => {
  const user = new UserHome()
  const path = user.plantPi('pi-session-aaaaaaaa', user.project, [{ role: 'user', text: 'a pelican', at: at(1) }])
  const copy = join(dirname(path), 'copy.jsonl')
  copyFileSync(path, copy)
  const { stdout } = await user.call(['search', 'pelican'])
  expect(stdout).toContain(`${path}\n`)
  expect(stdout).toContain(`${copy}\n`)
  const [, named, node] = /Read one: treeline show (\S+) (\S+)\n/.exec(stdout)!
  expect((await user.call(['show', named!, node!])).stdout).toContain('a pelican')
})

test('a search is limited by what was given', async () => {
  const user = new UserHome()
  plant(user)
  const nodes = async (...words: string[]) => {
    const { hits } = (await user.call(['search', 'pelican', '--json', ...words])).json()
    return hits.map(({ nodeId }: { nodeId: string }) => nodeId.slice(-10))
  }
  expect(await nodes('--role', 'user', '--cwd', '.')).toEqual(['aaaaaaaa-0'])
  expect(await nodes('--called', 'bash', '--error')).toEqual(['aaaaaaaa-2'])
  expect(await nodes('--tool', 'xcsh', '--all')).toEqual(['bbbbbbbb-0'])
  expect(await nodes('--session', 'aaaaaaaa', '--until', '2026-03-01')).toEqual(['aaaaaaaa-1', 'aaaaaaaa-0'])
  expect(await nodes('poem')).toEqual(['bbbbbbbb-0'])
})

test('--json tells where each hit is, by page', async () => {
  const user = new UserHome()
  plant(user)
  const { hits, next } = (await user.run(['search', 'pelican', '--json', '-n', '1'])).json()
  expect(hits).toEqual([
    {
      sessionId: 'xcsh-session-bbbbbbbb',
      sessionName: null,
      tool: 'xcsh',
      path: expect.stringContaining('.xcsh/agent/sessions'),
      cwd: '/elsewhere',
      nodeId: 'xcsh-session-bbbbbbbb-0',
      role: 'user',
      time: at(3),
      toolsCalled: [],
      error: false,
      muted: false,
      pruned: false,
      deleted: false,
      snippet: { text: 'a pelican poem', matches: [[2, 9]] },
    },
  ])
  const rest = (await user.run(['search', 'pelican', '--json', '--after', next])).json()
  expect(rest.hits).toHaveLength(3)
  expect(rest.next).toBeNull()
})

test('where nothing is found it is said what to try, and what cannot be asked is refused', async () => {
  const user = new UserHome()
  plant(user)
  const none = await user.call(['search', 'ostrich', 'pelican', '--called', 'pi'])
  expect(none.code).toBe(0)
  expect(none.stdout).toContain('Nothing says "ostrich pelican" with --called.')
  expect(await user.call(['search'])).toMatchObject({ code: 2 })
  expect(await user.call(['search', ' "" '])).toMatchObject({ code: 2 })
  expect(await user.call(['search', 'x', '--role', 'robot'])).toMatchObject({ code: 2 })
  const bash = await user.call(['search', 'x', '--tool', 'bash'])
  expect(bash).toMatchObject({ code: 2, stderr: expect.stringContaining('--called NAME') })
  expect(await user.call(['search', 'x', '--session', 'nobody-here'])).toMatchObject({ code: 3 })
  const outside = user.write(
    'copy.jsonl',
    '{"type":"session","version":3,"id":"zzzzzzzz","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}\n',
  )
  const elsewhere = await user.call(['search', 'x', '--session', outside])
  expect(elsewhere.code).toBe(3)
  expect(elsewhere.stderr).toContain('treeline import')
})

test('a search right after a list finds what was just added to a session that rested for long', async () => {
  const user = new UserHome()
  const said = (i: number) =>
    [{ role: 'user', text: `prompt ${i}`, at: new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString() }] as const
  // More than a list looks at one by one, in folders that have not changed for long.
  const [oldest] = Array.from({ length: 70 }, (_, i) => user.plantPi(`s${i}`, '/p', said(i)))
  const folder = dirname(oldest!)
  for (const dir of [folder, dirname(folder), dirname(dirname(folder))])
    utimesSync(dir, new Date(2020, 1), new Date(2020, 1))
  await user.call(['ls', '--all'])
  const entry = { type: 'message', id: 'late', parentId: 's0-0', timestamp: '2026-03-01T00:00:00.000Z' }
  appendFileSync(oldest!, `${JSON.stringify({ ...entry, message: { role: 'user', content: 'a heron' } })}\n`)
  await user.call(['ls', '--all'])
  expect((await user.call(['search', 'heron', '--json'])).json().hits).toMatchObject([{ nodeId: 'late' }])
})
