import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { widthOf } from './output/table.ts'
import { openTerminal } from './testing/terminal.ts'
import { UserHome } from './testing/user-home.ts'

const NARROW = 40
/** A path or a command, which is never torn apart. */
const WHOLE = /^ {2}(?:\S+|treeline .*|--after \S+)$/
const at = (day: number) => `2026-03-0${day}T10:00:00.000Z`

/** What a command prints in a terminal of 40 columns, line by line. */
async function linesOf(user: UserHome, words: readonly string[]): Promise<readonly string[]> {
  const home = join(user.folder, 'treeline')
  const env = { HOME: user.folder, NO_COLOR: '1', TZ: 'UTC' }
  const terminal = await openTerminal(words, { cwd: user.project, home, env, columns: NARROW, rows: 60 })
  await terminal.exit()
  return terminal.output.replaceAll('\r', '').split('\n')
}

test('at 40 columns no table is wider than the terminal', async () => {
  const user = new UserHome()
  user.plantPi('pi-session-aaaaaaaa', user.project, [
    { role: 'user', text: 'fix the flaky test of the parser, please', at: at(1) },
    { role: 'assistant', text: 'done, it was the clock that was wrong', at: at(2), cost: 2 },
    { role: 'assistant', text: 'otherwise I would do it so and so', at: at(2), parent: 'pi-session-aaaaaaaa-0' },
  ])
  const elsewhere = '/elsewhere/a-project-with-a-long-name'
  user.plantPi('xcsh-session-bbbbbbbb', elsewhere, [{ role: 'user', text: '天气不稳定 flaky 诗', at: at(3) }], 'xcsh')
  const broken = user.plantPi('cccccccc', elsewhere, [{ role: 'user', text: 'a damaged one', at: at(4) }])
  appendFileSync(broken, 'no json at all\n')
  const [own] = (await user.call(['import', 'aaaaaaaa', '--json'])).json().imported
  await user.call(['label', own.sessionId, 'pi-session-aaaaaaaa-0', 'a good idea that has a long name'])
  const asked = [
    ['ls'],
    ['ls', '--all'],
    ['ls', '--all', '-n', '1'],
    ['search', 'flaky'],
    ['branches', own.sessionId],
    ['tree', own.sessionId],
    ['stats', '--all'],
    ['doctor'],
    ['doctor', broken],
  ]
  for (const words of asked) {
    const lines = await linesOf(user, words)
    const what = words.join(' ')
    expect(lines.length, what).toBeGreaterThan(2)
    expect(
      lines.filter((line) => widthOf(line) > NARROW && !WHOLE.test(line)),
      what,
    ).toEqual([])
  }
})
