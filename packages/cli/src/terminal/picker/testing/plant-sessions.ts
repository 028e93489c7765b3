import type { Entry } from '@treeline/core'
import { openFileStore, type Session } from '@treeline/store'
import { said } from '../../../testing/sample-home.ts'

export interface Planted {
  readonly id: string
  readonly cwd: string
  readonly prompt: string
  readonly name?: string
  /** In minutes before now. */
  readonly age?: number
  /** When it was begun, likewise; with what was said by default. */
  readonly begunAge?: number
  readonly parentSession?: string
  /** Instead of a prompt and an answer. */
  readonly entries?: readonly Entry[]
}

/** Puts sessions into a home; gives their paths by id. */
export async function plantSessions(
  home: string,
  planted: readonly Planted[],
): Promise<Readonly<Record<string, string>>> {
  await using store = await openFileStore({ home, durability: 'written' })
  const paths: Record<string, string> = {}
  for (const { id, cwd, prompt, name, age = 10, begunAge = age, parentSession, entries } of planted) {
    const at = minutesAgo(age)
    const said = entries ?? talk(id, prompt, at)
    const about = { title: name, parentSession, createdAt: minutesAgo(begunAge) }
    await using session: Session = await store.create({ id, cwd, ...about, entries: said })
    paths[id] = session.path
  }
  return paths
}

function talk(id: string, prompt: string, at: string): readonly Entry[] {
  return [
    said(`${id}-u`, null, 'user', prompt, at),
    said(`${id}-a`, `${id}-u`, 'assistant', `An answer about ${id}.`, at),
  ]
}

export function minutesAgo(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString()
}
