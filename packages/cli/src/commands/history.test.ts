import { join } from 'node:path'
import { openHome, openPromptHistory } from '@treeline/store'
import { expect, test } from 'vitest'
import { UserHome } from '../testing/user-home.ts'

async function typed(user: UserHome): Promise<void> {
  using home = openHome({ home: join(user.folder, 'treeline') })
  await using history = openPromptHistory({ home })
  history.add('fix the parser', user.project)
  history.add('write a poem\nabout \u001b[31mtrees', '/elsewhere')
  history.add('why is the parser slow', user.project)
  await history.flush()
}

test('S35 the prompts of this project are shown newest first, and searched', async () => {
  const user = new UserHome()
  await typed(user)
  const here = await user.run(['history'])
  expect(here.stdout).toMatch(/^when +prompt\njust now {2}why is the parser slow\njust now {2}fix the parser\n$/)
  const all = await user.run(['history', '--all'])
  expect(all.stdout).toMatch(/just now {2}write a poem about trees +elsewhere/)
  const found = (await user.run(['history', 'PARSER', '--json'])).json()
  expect(found.prompts.map(({ prompt }: { prompt: string }) => prompt)).toEqual([
    'why is the parser slow',
    'fix the parser',
  ])
  expect(found.prompts[0]).toEqual({
    id: expect.any(Number),
    prompt: 'why is the parser slow',
    cwd: user.project,
    createdAt: expect.stringMatching(/^\d{4}-/),
  })
  const prefix = (await user.run(['history', 'fix', 'the', '--prefix', '--json'])).json()
  expect(prefix).toMatchObject({ prompts: [{ prompt: 'fix the parser' }], next: null })
})

test('prompts come by the page', async () => {
  const user = new UserHome()
  await typed(user)
  const first = (await user.call(['history', '--all', '--json', '-n', '2'])).json()
  expect(first.prompts).toHaveLength(2)
  const second = (await user.call(['history', '--all', '--json', '--before', first.next])).json()
  expect(second).toMatchObject({ prompts: [{ prompt: 'fix the parser' }], next: null })
})

test('an empty history says what to try, and what cannot be asked is refused', async () => {
  const user = new UserHome()
  const none = await user.call(['history'])
  expect(none).toMatchObject({ code: 0 })
  expect(none.stdout).toContain('treeline search --role user')
  expect(await user.call(['history', '--prefix'])).toMatchObject({ code: 2 })
  expect(await user.call(['history', '--limit', 'many'])).toMatchObject({ code: 2 })
})
