import { expect, test } from 'vitest'
import { user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { makeTempHome } from '../testing/temp-home.ts'

test('a message that was handed out, changed and appended again is stored as it is then', async () => {
  using temp = makeTempHome()
  await using store = await openFileStore(temp)
  await using session = await store.create()
  const [first] = await session.appendAll([user('one')])
  const message = first!.message as Record<string, unknown>
  // A date needs a closer look: its JSON is not made ahead of time.
  Object.assign(message, { content: 'two', at: new Date(0) })
  const { id } = await session.append({ type: 'message', message })
  const at = '1970-01-01T00:00:00.000Z'
  expect((await session.readEntry(id))!.message).toEqual({ role: 'user', content: 'two', timestamp: 1, at })
  expect((await session.readEntry(first!.id))!.message).toMatchObject({ content: 'one' })
})
