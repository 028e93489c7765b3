import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { openSessionFile } from '@treeline/formats'
import type { Session, SessionStore } from '@treeline/store'
import type { Context } from '../context.ts'

/**
 * A file that `--session` names outside of the home: it begins there where nothing is, and goes on there when it is one of
 * ours. `undefined` for everything else: what another tool keeps is copied, never written to.
 */
export async function openOwnFile(
  context: Context,
  cwd: string,
  given: string | undefined,
): Promise<Session | undefined> {
  if (given === undefined || !given.endsWith('.jsonl')) return undefined
  const path = resolve(context.cwd, given)
  const { paths } = await context.home()
  if (existsSync(path) && paths.isSessionFile(path)) return undefined
  const store = await context.store()
  if (!existsSync(path)) return store.openPath(path, { create: { cwd }, inPlace: true })
  return (await isOurs(store, path)) ? store.openPath(path, { inPlace: true }) : undefined
}

async function isOurs(store: SessionStore, path: string): Promise<boolean> {
  await using opened = await openSessionFile(store, path, { readOnly: true })
  return opened.translation === undefined && opened.session.dialect === 'treeline'
}
