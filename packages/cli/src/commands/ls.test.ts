import { appendFileSync, copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { widthOf } from '../output/table.ts'
import { UserHome } from '../testing/user-home.ts'

const at = (day: number) => `2026-03-0${day}T10:00:00.000Z`

function plantThree(user: UserHome): void {
  user.plantPi('pi-session-aaaaaaaa', user.project, [
    { role: 'user', text: 'fix the flaky test', at: at(1) },
    { role: 'assistant', text: 'done', at: at(2), cost: 2 },
    { role: 'assistant', text: 'otherwise', at: at(2), cost: 1, parent: 'pi-session-aaaaaaaa-0' },
  ])
  user.plantPi('xcsh-session-bbbbbbbb', '/elsewhere', [{ role: 'user', text: 'write a poem', at: at(3) }], 'xcsh')
  const broken = user.plantPi('pi-session-cccccccc', '/elsewhere', [{ role: 'user', text: 'damaged one', at: at(4) }])
  appendFileSync(broken, 'no json at all\n')
}

test('S34 the sessions of this project are listed, of every tool, without changing their files', async () => {
  const user = new UserHome()
  plantThree(user)
  const before = user.fingerprint()
  const here = await user.run(['ls'])
  expect(here.code).toBe(0)
  expect(here.stdout.split('\n')[0]).toMatch(/^id +tool +active +session +msgs +branches$/)
  expect(here.stdout).toMatch(/aaaaaaaa {2}pi {4}2026-03-02 {2}fix the flaky test +3 +2/)
  expect(here.stdout).not.toContain('poem')

  const all = await user.run(['ls', '--all'])
  expect(all.stdout).toMatch(/cccccccc {2}pi .*\[damaged\] damaged one .*\nbbbbbbbb {2}xcsh.*\naaaaaaaa/)
  expect(all.stdout).toMatch(/What is the matter with a damaged one: treeline doctor \S+\n/)
  expect(
    all.stdout
      .split('\n')
      .map(widthOf)
      .every((width) => width <= 80),
  ).toBe(true)
  expect(user.fingerprint()).toEqual(before)
})

test('R2 a command that is suggested works for a copy too', async () => {
  const user = new UserHome()
  plantThree(user)
  const path = join(user.folder, '.pi/agent/sessions/--p--/pi-session-cccccccc.jsonl')
  copyFileSync(path, join(user.folder, '.pi/agent/sessions/--p--/copy.jsonl'))
  const listed = await user.call(['ls', '--all'])
  const [, named] = /treeline doctor (\S+)\n/.exec(listed.stdout)!
  expect((await user.call(['doctor', named!])).stdout).toMatch(/^Damaged: /)
})

test('X13, X72 --json tells what is known of each session, by page', async () => {
  const user = new UserHome()
  plantThree(user)
  const first = (await user.run(['ls', '--all', '--json', '--limit', '2'])).json()
  expect(first.sessions.map(({ id }: { id: string }) => id)).toEqual(['pi-session-cccccccc', 'xcsh-session-bbbbbbbb'])
  expect(first.sessions[0]).toMatchObject({ damage: 1, cost: 0, name: null })
  const second = (await user.run(['ls', '--all', '--json', '--after', first.next])).json()
  expect(second).toMatchObject({ next: null, problems: [] })
  expect(second.sessions).toMatchObject([
    {
      id: 'pi-session-aaaaaaaa',
      tool: 'pi',
      cwd: user.project,
      firstPrompt: 'fix the flaky test',
      createdAt: at(1),
      lastActiveAt: at(2),
      entries: 3,
      messages: 3,
      branches: 2,
      leafId: 'pi-session-aaaaaaaa-2',
      models: ['demo/large'],
      usage: { inputTokens: 300, outputTokens: 30, cacheReadTokens: 3, cacheWriteTokens: 0 },
      cost: 3,
      pinned: false,
      damage: 0,
      problem: null,
    },
  ])
})

test('sessions are found by tool, words and time; one that was written just now is there', async () => {
  const user = new UserHome()
  plantThree(user)
  const ids = async (...words: string[]) => {
    const { sessions } = (await user.call(['ls', '--json', ...words])).json()
    return sessions.map(({ id }: { id: string }) => id.slice(-8))
  }
  expect(await ids('--all', '--tool', 'xcsh')).toEqual(['bbbbbbbb'])
  expect(await ids('--all', 'flaky', 'TEST')).toEqual(['aaaaaaaa'])
  expect(await ids('--all', '--since', '2026-03-03', '--until', '2026-03-03')).toEqual(['bbbbbbbb'])
  expect(await ids('--cwd', '/elsewhere')).toEqual(['cccccccc', 'bbbbbbbb'])
  user.plantPi('pi-session-dddddddd', user.project, [{ role: 'user', text: 'new', at: at(5) }])
  expect(await ids()).toEqual(['dddddddd', 'aaaaaaaa'])
})

test('an empty list teaches where was looked and what to try', async () => {
  const user = new UserHome()
  const none = await user.run(['ls'])
  expect(none.code).toBe(0)
  expect(none.stdout).toContain('No sessions were found on this machine')
  expect(none.stdout).toMatch(/pi +.*\.pi\/agent\/sessions {2}\(not there\)/)
  user.plantPi('pi-session-aaaaaaaa', '/elsewhere', [{ role: 'user', text: 'hi', at: at(1) }])
  const other = await user.call(['ls'])
  expect(other.stdout).toContain(`There is no session of ${user.project} yet.\n1 session is known in all.`)
  expect((await user.call(['ls', '--all', 'nowhere'])).stdout).toContain('No session fits.')
})

test('what cannot be is refused with what can', async () => {
  const user = new UserHome()
  const cases = [
    [['--tool', 'pie'], 'Did you mean pi?'],
    [['--since', 'soon'], '--since takes a day'],
    [['--limit', '10001'], '--limit takes a number up to 10000'],
    [['--after', 'nonsense'], 'no place in a list'],
  ] as const
  for (const [words, message] of cases) {
    const refused = await user.call(['ls', ...words])
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain(message)
  }
})
