import { type EditOp, type EditResult, type Problem, RefusedError, routes } from '@treeline/protocol'
import { expect } from 'vitest'
import type { TestServer } from '../../../testing/test-server.ts'
import { type Observed, observe } from '../../../wire/testing/observe.ts'
import { assistant, user } from '../../../wire/testing/sample-session.ts'

/** u1 → a1 → { u2 → a2, u3 → a3 }, the leaf at a3. Its last line, the version, is 7. */
export async function growSession({ store, home }: TestServer): Promise<string> {
  await using session = await store.create({ cwd: home.paths.home, title: 'Sample' })
  const said = (id: string) => (id.startsWith('u') ? user(id, id) : assistant(id, { id }))
  for (const id of ['u1', 'a1', 'u2', 'a2']) await session.append(said(id))
  await session.append(said('u3'), { parentId: 'a1' })
  await session.append(said('a3'))
  return session.id
}

/** What whoever opens the session anew finds in its file. */
export async function readStored({ store }: TestServer, sessionId: string): Promise<Observed> {
  await using session = await store.open(sessionId, { readOnly: true })
  return await observe(session)
}

interface Extra {
  readonly opId?: string
  readonly baseVersion?: number
  readonly dryRun?: boolean
}

export function sendEdit(
  { call }: Pick<TestServer, 'call'>,
  sessionId: string,
  operations: readonly EditOp[],
  extra: Extra = {},
): Promise<EditResult> {
  return call(routes.putEdit, { params: { sessionId }, body: { operations: [...operations], ...extra } })
}

export async function refused(asked: Promise<unknown>): Promise<Problem> {
  const error = await asked.catch((problem: unknown) => problem)
  expect(error).toBeInstanceOf(RefusedError)
  return (error as RefusedError).problem
}
