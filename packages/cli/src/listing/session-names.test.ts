import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { UserHome } from '../testing/user-home.ts'

const AT = '2026-01-01T00:00:00.000Z'
const said = [{ role: 'user', text: 'needle', at: AT }] as const

/** The first column. */
function idsIn(stdout: string): string[] {
  const lines = stdout.split('\n').slice(1)
  return lines.map((line) => line.split(' ')[0]!).filter(Boolean)
}

test('a session is listed by a name that is understood, however alike ids are', async () => {
  const user = new UserHome()
  const ids = [
    '019a0000-0000-7000-8000-0000deadbeef',
    // The same end, told apart by a longer one.
    '019b0000-0000-7000-8000-aaa111111111',
    '019b0000-0000-7000-8000-bbb111111111',
    // The same but for the beginning.
    '019c65aa-0000-7000-8000-000000000009',
    '0199c0de-0000-7000-8000-000000000009',
    // Its beginning is the end of another.
    'deadbeef-0000-7000-8000-000000000001',
  ]
  for (const id of ids) user.plantPi(id, user.project, said)
  const names = idsIn((await user.call(['ls'])).stdout)
  expect(names.toSorted()).toEqual(
    ['0000deadbeef', 'aaa111111111', 'bbb111111111', '019c65aa..00000009', '0199c0de..00000009', '00000001'].toSorted(),
  )
  const meant = await Promise.all(
    names.map(async (name) => (await user.call(['tree', name, '--json'])).json().sessionId),
  )
  expect(meant.toSorted()).toEqual(ids.toSorted())
  const { stdout } = await user.call(['search', 'needle'])
  const [, hint] = /Read one: treeline (.*)/.exec(stdout)!
  expect((await user.call(hint!.split(' '))).code).toBe(0)
  const within = await user.call(['search', 'needle', '--session', '019c65aa..00000009', '--json'])
  expect(within.json().hits).toHaveLength(1)
  expect((await user.call(['tree', '019..00000009'])).code).toBe(3)
})

test('of copies none is chosen; one without an id goes by its path, quoted for a shell', async () => {
  const user = new UserHome()
  const path = user.plantPi('019a0000-0000-7000-8000-00000000aaaa', user.project, said)
  const [header, ...entries] = readFileSync(path, 'utf8').split('\n')
  user.write('.pi/agent/sessions/--p--/copy.jsonl', [header, ...entries].join('\n'))
  const nameless = user.write('.pi/agent/sessions/--p--/$(touch x).jsonl', entries.join('\n'))
  const { stdout } = await user.call(['ls', '--all'])
  expect(stdout.match(/^0000aaaa /gm)).toHaveLength(2)
  expect(await user.call(['tree', '0000aaaa'])).toMatchObject({ code: 4 })
  expect(stdout).toMatch(/^\? /m)
  expect(stdout).toContain(`treeline tree '${nameless}'`)
  const refused = await user.call(['mute', nameless, 'leaf'])
  expect(refused.code).toBe(5)
  expect(refused.stderr).toContain(`treeline import '${nameless}'`)
})
