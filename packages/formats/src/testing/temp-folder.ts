import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** An empty folder on the real disk, gone at the end of the block. */
export interface TempFolder extends Disposable {
  readonly path: string
  /** Where our own sessions go; not there yet. */
  readonly home: string
  /** Writes a file under the folder and returns its path; objects become lines of JSON, text is written as it is. */
  plant(name: string, ...lines: readonly (object | string)[]): string
}

export function makeTempFolder(): TempFolder {
  const path = mkdtempSync(join(tmpdir(), 'treeline-formats-'))
  return {
    path,
    home: join(path, 'home'),
    plant(name, ...lines) {
      const file = join(path, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, toText(lines))
      return file
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}

export function toText(lines: readonly (object | string)[]): string {
  return lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('')
}

/** Everything about a folder that somebody who only reads must leave as it is: names, sizes, times, contents. */
export function describeFolder(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true }).map(String).sort()
  return names.map((name) => {
    const path = join(folder, name)
    const { mode, size, mtimeMs, ino } = lstatSync(path)
    const isFile = lstatSync(path).isFile()
    const hash = isFile ? createHash('sha256').update(readFileSync(path)).digest('hex') : ''
    return [name, mode, isFile ? size : '', mtimeMs, ino, hash].join(' ')
  })
}
