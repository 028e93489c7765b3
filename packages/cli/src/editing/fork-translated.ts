import type { Entry } from '@treeline/core'
import { type ForkOptions, openMemoryStore, type Session, type SessionStore } from '@treeline/store'

/**
 * Forks a session that was translated from a file that is no log. It lives in memory, so what the fork takes is put
 * together there, and is then written to `store` with its images and long texts.
 */
export async function forkTranslated(source: Session, store: SessionStore, options: ForkOptions): Promise<Session> {
  await using memory = await openMemoryStore()
  const { id, cwd, title } = source.header
  const whole = await memory.create({ id, cwd, title, entries: fullEntries(source) })
  const forked = await memory.fork(whole, options)
  const { header } = forked
  return await store.create({
    cwd: header.cwd,
    title: header.title,
    parentSession: source.id,
    entries: fullEntries(forked),
    onLeftOut: options.onLeftOut,
  })
}

async function* fullEntries(session: Session): AsyncGenerator<Entry> {
  for await (const { id } of session.entries()) {
    const full = await session.readFull(id)
    if (full !== undefined) yield full.entry
  }
}
