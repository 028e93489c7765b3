import { expect, test } from 'vitest'
import { UserHome } from '../testing/user-home.ts'

const at = (day: number) => `2026-03-0${day}T10:00:00.000Z`

function plant(user: UserHome): string {
  const path = user.plantPi('pi-session-aaaaaaaa', user.project, [
    { role: 'user', text: 'hi', at: at(1) },
    { role: 'assistant', text: 'shared', at: at(1), cost: 1 },
    { role: 'assistant', text: 'left', at: at(2), cost: 2, model: 'small' },
    { role: 'assistant', text: 'right', at: at(3), cost: 4, parent: 'pi-session-aaaaaaaa-1' },
  ])
  user.plantPi(
    'xcsh-session-bbbbbbbb',
    '/elsewhere',
    [
      { role: 'user', text: 'hi', at: at(3) },
      { role: 'assistant', text: 'there', at: at(3), cost: 8 },
    ],
    'xcsh',
  )
  return path
}

test('tokens and cost of all sessions are told by tool, model, day and session', async () => {
  const user = new UserHome()
  plant(user)
  const json = (await user.run(['stats', '--json'])).json()
  expect(json.totals).toEqual({
    sessions: 2,
    answers: 4,
    usage: { inputTokens: 1500, outputTokens: 150, cacheReadTokens: 15, cacheWriteTokens: 0 },
    cost: 15,
  })
  const costs = (rows: { cost: number }[], key: string) => rows.map((row) => [Reflect.get(row, key), row.cost])
  expect(costs(json.tools, 'tool')).toEqual([
    ['xcsh', 8],
    ['pi', 7],
  ])
  expect(costs(json.models, 'model')).toEqual([
    ['demo/large', 13],
    ['demo/small', 2],
  ])
  expect(costs(json.days, 'day')).toEqual([
    ['2026-03-03', 12],
    ['2026-03-02', 2],
    ['2026-03-01', 1],
  ])
  expect(costs(json.sessions, 'id')).toEqual([
    ['xcsh-session-bbbbbbbb', 8],
    ['pi-session-aaaaaaaa', 7],
  ])

  const { stdout } = await user.run(['stats'])
  expect(stdout).toContain(
    '2 sessions, 4 answers\n1,500 tokens in, 150 out, 15 read from cache, 0 written to it; $15.00',
  )
  expect(stdout).toMatch(/Models\nmodel .*cost\ndemo\/large +3 +1,300 +130 +13 +0 +\$13\.00/)
  const here = (await user.call(['stats', '--json', '--cwd', '.', '--since', '2026-03-02'])).json()
  expect(here.totals).toMatchObject({ sessions: 1, cost: 6 })
})

test('of one session what branches share is counted once', async () => {
  const user = new UserHome()
  const path = plant(user)
  const json = (await user.run(['stats', path, '--json'])).json()
  expect(json).toMatchObject({ sessionId: 'pi-session-aaaaaaaa', path, elsewhere: { cost: 0 } })
  expect(json.totals).toMatchObject({ messages: 4, toolCalls: 0, answers: 3, cost: 7 })
  expect(json.branches).toMatchObject([
    { leafId: 'pi-session-aaaaaaaa-3', trunk: true, nodes: 3, messages: 3, cost: 5, path: { cost: 5 } },
    { leafId: 'pi-session-aaaaaaaa-2', trunk: false, nodes: 3, messages: 1, cost: 2, path: { cost: 3, messages: 3 } },
  ])
  expect(json.days).toMatchObject([{ day: '2026-03-03' }, { day: '2026-03-02' }, { day: '2026-03-01', messages: 2 }])
  const { stdout } = await user.call(['stats', 'aaaaaaaa', '--by', 'branch'])
  expect(stdout).toMatch(/^branch .*whole path\naaaaaa-3 \(trunk\) .*\$5\.00 +\$5\.00\naaaaaa-2 .* \$2\.00 +\$3\.00\n$/)
})

test('where there is nothing to sum up that is said, and what does not fit is refused', async () => {
  const user = new UserHome()
  expect((await user.call(['stats'])).stdout).toContain('No answer with a record of its tokens was found.')
  const path = plant(user)
  expect(await user.call(['stats', '--by', 'branch'])).toMatchObject({ code: 2 })
  expect(await user.call(['stats', path, '--since', '3d'])).toMatchObject({ code: 2 })
  expect(await user.call(['stats', 'nothing-there'])).toMatchObject({ code: 3 })
})
