import { join } from 'node:path'
import { expect, test } from 'vitest'
import { plantSessions } from './terminal/picker/testing/plant-sessions.ts'
import { UserHome } from './testing/user-home.ts'

const OURS = '01990000-0000-7000-8000-0000aaaaaaaa'
const THEIRS = '01990000-0001-7000-8000-0000bbbbbbbb'

/** A session of ours and one of Pi that were begun in the same minute: their ids begin alike. */
async function twoOfAMinute() {
  const user = new UserHome()
  await plantSessions(join(user.folder, 'treeline'), [{ id: OURS, cwd: user.project, prompt: 'Said to Treeline' }])
  user.plantPi(THEIRS, user.project, [{ role: 'user', text: 'Said to Pi', at: '2026-01-01T00:00:00.000Z' }])
  return user
}

test('the end of an id, which is what is shown, finds its session, whoever keeps it', async () => {
  const user = await twoOfAMinute()
  expect((await user.call(['tree', OURS.slice(-8).toUpperCase()])).stdout).toContain('Said to Treeline')
  expect((await user.call(['tree', THEIRS.slice(-8)])).stdout).toContain('Said to Pi')
  expect((await user.call(['tree', OURS])).stdout).toContain('Said to Treeline')
})

test("a beginning that also fits another tool's session is not guessed at", async () => {
  const user = await twoOfAMinute()
  const { code, stdout, stderr } = await user.call(['tree', OURS.slice(0, 8)])
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
  expect(stderr).toContain('2 sessions fit "01990000"')
})
