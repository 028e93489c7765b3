import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { homePaths } from '../paths.ts'

/** An empty home on the real disk, gone at the end of the block. */
export interface TempHome extends Disposable {
  readonly home: string
  /** A folder beside the home, for what belongs to other tools. */
  readonly outside: string
  /** Puts a log where the store looks for the session `id`; `lines` become JSON, text is written as it is. */
  plant(id: string, ...lines: readonly (object | string)[]): string
  /** Every file and folder under the home. */
  list(): string[]
}

export function makeTempHome(): TempHome {
  const folder = mkdtempSync(join(tmpdir(), 'treeline-store-'))
  const home = join(folder, 'home')
  const outside = join(folder, 'outside')
  mkdirSync(outside)
  return {
    home,
    outside,
    plant(id, ...lines) {
      const path = homePaths(home).sessionFile({ cwd: '/p', id, timestamp: '2026-01-01T00:00:00.000Z' })
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, toText(lines))
      return path
    },
    list: () => readdirSync(home, { recursive: true }).map((name) => join(home, String(name))),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Objects as lines of JSON, text as it is. */
export function toText(lines: readonly (object | string)[]): string {
  return lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('')
}

export function header(id: string, version: number | undefined = 3): object {
  return { type: 'session', ...(version > 1 && { version }), id, timestamp: '2026-01-01T00:00:00.000Z', cwd: '/p' }
}

export function message(text: string, id?: string, parentId?: string | null): object {
  return {
    type: 'message',
    ...(id !== undefined && { id, parentId: parentId ?? null }),
    timestamp: '2026-01-01T00:00:01.000Z',
    message: { role: 'user', content: text, timestamp: 1 },
  }
}
