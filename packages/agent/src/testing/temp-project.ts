import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Home, openHome } from '@treeline/store'

/** A home and a project beside it on the real disk, both gone at the end of the block. */
export interface TempProject extends Disposable {
  readonly home: Home
  /** A folder with `.git`. */
  readonly root: string
  /** The folder that holds both. */
  readonly above: string
  /** Writes a file below `above`, with the folders it needs; objects become JSON. Returns its path. */
  write(path: string, content: string | object | Uint8Array): string
}

export function makeTempProject(): TempProject {
  const above = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-agent-')))
  const root = join(above, 'project')
  mkdirSync(join(root, '.git'), { recursive: true })
  const home = openHome({ home: join(above, 'home') })
  return {
    home,
    root,
    above,
    write(path, content) {
      const file = join(above, path)
      mkdirSync(dirname(file), { recursive: true })
      const isBytes = typeof content === 'string' || content instanceof Uint8Array
      writeFileSync(file, isBytes ? content : JSON.stringify(content))
      return file
    },
    [Symbol.dispose]: () => {
      home[Symbol.dispose]()
      rmSync(above, { recursive: true, force: true })
    },
  }
}
