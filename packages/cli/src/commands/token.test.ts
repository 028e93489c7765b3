import { expect, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { tempFolder } from '../testing/run-treeline.ts'

test('a token is shown once, listed without its secret, and gone when revoked', async () => {
  const home = `${tempFolder()}/home`
  const call = (...words: string[]) => callTreeline(['token', ...words], { home })
  expect((await call()).stdout).toContain('Nobody may ask yet')
  const made = await call('create', 'my-script')
  expect(made.stdout).toMatch(/^[\w-]{43}\n$/)
  expect(made.stderr).toBe('Made: my-script, which may read. It is not shown again.\n')
  const other = await call('create', 'bot', '--scope', 'write', '--json')
  expect(other.json()).toEqual({ name: 'bot', scope: 'write', token: expect.stringMatching(/^[\w-]{43}$/) })
  const listed = await call()
  expect(listed.stdout).toMatch(/^bot +write +\d{4}-\d\d-\d\d +it is revoked$/m)
  expect(listed.stdout).not.toContain(made.stdout.trim())
  expect((await call('create', 'bot')).code).toBe(4)
  expect((await call('revoke', 'bot')).stdout).toBe('Revoked: bot.\n')
  expect((await call('revoke', 'bot')).stdout).toBe('There is no token bot.\n')
  expect((await call('--json')).json().tokens.map(({ name }: { name: string }) => name)).toEqual(['my-script'])
})

test.each([['create'], ['create', '../x'], ['create', 'browser'], ['revoke']])('%j is refused', async (...words) => {
  const { code, stderr } = await callTreeline(['token', ...words])
  expect(code).toBe(2)
  expect(stderr).toMatch(/Name it|cannot be the name/)
})
