import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Home, openHome } from '../home.ts'
import { LogStore } from '../log-store.ts'
import { type OpenIndexOptions, openIndex } from '../session-index/open-index.ts'
import type { SessionIndex } from '../session-index/session-index.ts'
import type { SessionStorage } from '../storage/storage.ts'
import type { SessionStore } from '../store.ts'
import { dumpIndex, type IndexDump } from './dump-index.ts'
import { makeTempHome, type TempHome } from './temp-home.ts'

/** A home on the real disk with a store and an index. */
export class IndexWorld implements AsyncDisposable {
  readonly temp: TempHome = makeTempHome()
  readonly home: Home
  readonly store: SessionStore
  private readonly opened: SessionIndex[] = []

  constructor(storage?: SessionStorage) {
    this.home = openHome({ home: this.temp.home, storage })
    this.store = new LogStore({ ...this.home, durability: 'written' })
  }

  get indexFile(): string {
    return this.home.paths.indexFile
  }

  /** Closed with the world. */
  async open(options: Partial<OpenIndexOptions> = {}): Promise<SessionIndex> {
    const index = await openIndex({ home: this.home, worker: false, ...options })
    this.opened.push(index)
    return index
  }

  /** What an index holds that was built from nothing, without any cache. */
  async buildFresh(options: Partial<OpenIndexOptions> = {}): Promise<IndexDump> {
    const folder = mkdtempSync(join(tmpdir(), 'treeline-fresh-'))
    const paths = {
      ...this.home.paths,
      index: folder,
      indexFile: join(folder, 'index.db'),
      indexLock: join(folder, 'lock'),
      savedPage: join(folder, 'page.saved'),
      columnsFile: (id: string) => join(folder, `${id}.cols`),
    }
    try {
      await using index = await openIndex({ home: { ...this.home, paths }, ...options, worker: false })
      await index.refresh()
      return dumpIndex(paths.indexFile)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  async expectAsFresh(options: Partial<OpenIndexOptions> = {}): Promise<void> {
    expect(dumpIndex(this.indexFile)).toEqual(await this.buildFresh(options))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const index of this.opened) await index.close()
    await this.store.close()
    this.temp[Symbol.dispose]()
  }
}
