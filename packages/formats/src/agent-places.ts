import { join, resolve } from 'node:path'
import type { UsualPlaces } from './format.ts'

/** `$XDG_DATA_HOME`, where xcsh and oh-my-pi keep what they make once their folder is there. */
export function dataHome({ env, home }: UsualPlaces): string {
  return env.XDG_DATA_HOME || join(home, '.local', 'share')
}

/** As a shell does, which Pi does as well. */
export function expandPath(path: string, { home }: UsualPlaces): string {
  return resolve(path.replace(/^~(?=\/|$)/, () => home))
}
