import { join } from 'node:path'
import type { Entry } from '@treeline/core'
import { describeNode } from '../search/describe-node.ts'
import { type SearchRequest, searchIndex } from '../search/search.ts'
import type { SearchHit, SearchOptions, SearchPage } from '../search/search-types.ts'
import { type FileRow, writeFile } from '../session-index/file-row.ts'
import { IndexDatabase } from '../session-index/index-database.ts'
import { NodeWriter } from '../session-index/node-writer.ts'
import { SCHEMA } from '../session-index/schema.ts'
import type { SessionSource } from '../session-index/session-source.ts'
import { openDatabase } from '../sqlite.ts'
import { makeTempHome } from './temp-home.ts'

/** A node as a test says it. */
export interface SaidNode {
  readonly entry: Entry
  readonly timeMs: number
  readonly flags?: number
}

const EMPTY_ROW: Omit<FileRow, 'path' | 'source' | 'sessionId' | 'cwd'> = {
  stat: undefined,
  rows: 0,
  mark: '',
  nodeStates: 0,
  unreadableCount: 0,
  firstPrompt: null,
  models: [],
  damageCount: 0,
  problem: null,
  parentSession: null,
  name: 'A name',
  createdAt: null,
  createdMs: 0,
  lastActiveAt: null,
  lastActiveMs: 0,
  messageCount: 0,
  branchCount: 0,
  nodeCount: 0,
  lastLine: 0,
  leafId: null,
  tags: [],
  isPinned: false,
  isArchived: false,
  isLinear: false,
}

let nextId = 1

/** An entry in which a user says something. */
export function userEntry(text: string): Entry {
  return messageEntry({ role: 'user', content: text })
}

export function messageEntry(message: object): Entry {
  return { type: 'message', id: `n${nextId++}`, parentId: null, timestamp: '', message }
}

/**
 * An index through its real tables, over a source that keeps its sessions in memory: nodes can be added in any order, with
 * any time, which takes thousands of files otherwise.
 */
export class SmallIndex implements Disposable {
  readonly db: IndexDatabase
  readonly source: SessionSource
  /** By path; an entry's number is its place. */
  readonly bodies = new Map<string, (Entry | undefined)[]>()
  /** How many bodies were read. */
  reads = 0
  private readonly home = makeTempHome()

  constructor() {
    const file = join(this.home.outside, 'index.db')
    this.db = new IndexDatabase(file, openDatabase(file), '')
    this.db.sql.exec('PRAGMA synchronous = OFF')
    this.db.sql.exec(SCHEMA)
    this.source = {
      name: 'memory',
      folders: [],
      list: () => this.bodies.keys(),
      stat: () => {
        throw new Error('not asked for here')
      },
      open: () => Promise.reject(new Error('not asked for here')),
      read: async (path, places) => {
        this.reads += places.length
        const bodies = this.bodies.get(path)
        if (bodies === undefined) throw new Error('gone')
        return places.map(({ offset }) => bodies[offset])
      },
    }
  }

  add(path: string, nodes: readonly SaidNode[], cwd = '/p'): void {
    const bodies = this.bodies.get(path) ?? []
    this.bodies.set(path, bodies)
    this.db.sql.exec('BEGIN')
    const row = { ...EMPTY_ROW, path, source: 'memory', sessionId: `id-of-${path}`, cwd }
    const writer = new NodeWriter(this.db, writeFile(this.db, row))
    for (const { entry, timeMs, flags = 0 } of nodes) {
      const place = { id: entry.id, offset: bodies.length, length: 1 }
      bodies.push(entry)
      const description = describeNode(entry)
      if (description) writer.add(place, timeMs, flags, description)
    }
    writer.finish()
    this.db.sql.exec('COMMIT')
  }

  /** Texts of users in one file, a second apart. */
  say(...texts: readonly string[]): void {
    this.add(
      'said',
      texts.map((text, index) => ({ entry: userEntry(text), timeMs: (index + 1) * 1000 })),
    )
  }

  search(query: string, options?: SearchOptions, more?: Partial<SearchRequest>): Promise<SearchPage> {
    const sources = new Map([[this.source.name, this.source]])
    return searchIndex({ db: this.db, sources, pending: [], query, options, ...more })
  }

  async hits(query: string, options?: SearchOptions): Promise<readonly SearchHit[]> {
    return (await this.search(query, options)).hits
  }

  /** What the nodes found say, newest first. */
  async texts(query: string, options?: SearchOptions): Promise<string[]> {
    return (await this.hits(query, options)).map(({ snippet }) => snippet.text)
  }

  [Symbol.dispose](): void {
    this.db.close()
    this.home[Symbol.dispose]()
  }
}
