import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type Entry, ROOT, type SessionHeader, TreelineError } from '@treeline/core'
import {
  createFileStorage,
  type FileStat,
  moduleUrl,
  type NodePlace,
  openMemoryStore,
  type Session,
  type SessionSource,
  type SessionStorage,
  type SourceModule,
  type SourceSession,
} from '@treeline/store'
import { createFrom } from './create-from.ts'
import type { Format } from './format.ts'
import { readWhole } from './read-file.ts'
import { findFormat } from './registry.ts'

export interface TranslatedSourceOptions {
  /** Of a format that is translated. */
  readonly name: string
  /** Each holds files of the tool, or one folder per project and those the files; no deeper. */
  readonly folders: readonly string[]
}

/** Sessions that are no logs, as `sources` of `openIndex` wants them: each is translated when it is looked at. */
export function translatedSource(options: TranslatedSourceOptions): SourceModule {
  return { module: moduleUrl('translated-source', import.meta.url), options }
}

/** What the index calls, in whichever thread it works. */
export function createSource(options: unknown): SessionSource {
  if (!isOptions(options)) {
    throw new TreelineError('bad_request', 'A source of translated sessions needs the name of a format and folders.')
  }
  const { name, folders } = options
  const format = findFormat(name)
  const storage = createFileStorage()
  const cache = new TranslationCache(format, storage)
  return {
    name,
    folders,
    list: (unread) => listFiles(storage, folders, `*${format.extension}`, unread),
    stat: (path) => storage.statSync(path),
    open: async (path) => describe(await cache.get(path)),
    read: async (path, places) => readPlaces(await getUnlessGone(cache, path), places),
  }
}

interface Translated {
  readonly session: Session
  /** With the tool's own id, whatever that is. */
  readonly header: SessionHeader
  readonly size: number
  readonly damageCount: number
}

/** Of a search several hits may be in one file, and of an index run the file that was just opened is asked about next. */
const MAX_CACHED = 4

class TranslationCache {
  private readonly format: Format
  private readonly storage: SessionStorage
  private readonly cached = new Map<string, { readonly key: string; readonly translated: Promise<Translated> }>()

  constructor(format: Format, storage: SessionStorage) {
    this.format = format
    this.storage = storage
  }

  get(path: string): Promise<Translated> {
    const key = keyOf(this.storage.statSync(path))
    const known = this.cached.get(path)
    this.cached.delete(path)
    const translated = known?.key === key ? known.translated : translate(this.format, path)
    this.cached.set(path, { key, translated })
    // A file that cannot be read today may be tomorrow.
    translated.catch(() => this.cached.delete(path))
    const [oldest] = this.cached.keys()
    // What it holds is memory only: letting go of it is enough.
    if (this.cached.size > MAX_CACHED) this.cached.delete(oldest!)
    return translated
  }
}

function keyOf({ identity, size, mtimeMs }: FileStat): string {
  return `${identity} ${size} ${mtimeMs}`
}

async function translate(format: Format, path: string): Promise<Translated> {
  const bytes = readWhole(path)
  const read = await format.loadReader!()
  const translation = read({ path, bytes })
  const store = await openMemoryStore()
  const session = await createFrom(store, translation)
  const damageCount = translation.notes.filter(({ kind }) => kind === 'damage').length
  return { session, header: { ...session.header, id: translation.sessionId }, size: bytes.length, damageCount }
}

function describe({ session, header, size, damageCount }: Translated): SourceSession {
  const { tree } = session
  const { heads } = tree
  const idAt = (row: number) => tree.ids.textOf(tree.refAtRow(row))
  return {
    header,
    tree,
    size,
    damageCount,
    async markAt(rows) {
      const start = crc32(JSON.stringify(header))
      if (rows === 0) return `${start}`
      const [last] = await session.readEntries([idAt(rows - 1)])
      // A row's place says how long all before it are.
      return `${start}:${heads.offset[rows - 1]}:${heads.lengthOf(rows - 1)}:${crc32(JSON.stringify(last ?? null))}`
    },
    readEntries: (rows) => session.readEntries(rows.map(idAt)),
    [Symbol.asyncDispose]: async () => {},
  }
}

async function getUnlessGone(cache: TranslationCache, path: string): Promise<Translated | undefined> {
  try {
    return await cache.get(path)
  } catch (error) {
    const { code } = error as { readonly code?: unknown }
    if (code === 'ENOENT' || code === 'session_not_found') return undefined
    throw error
  }
}

async function readPlaces(
  translated: Translated | undefined,
  places: readonly NodePlace[],
): Promise<(Entry | undefined)[]> {
  if (translated === undefined) return places.map(() => undefined)
  const { session } = translated
  const { tree } = session
  const entries = await session.readEntries(places.map(({ id }) => id))
  return places.map(({ id, offset, length }, i) => {
    const ref = tree.ids.find(id)
    const row = ref > ROOT ? tree.columns.rowOf[ref]! : -1
    const isThere = row >= 0 && tree.heads.offset[row] === offset && tree.heads.lengthOf(row) === length
    return isThere ? entries[i] : undefined
  })
}

function* listFiles(
  storage: SessionStorage,
  folders: readonly string[],
  pattern: string,
  unread: Parameters<SessionSource['list']>[0],
): Generator<string> {
  for (const folder of folders) {
    yield* tryList(folder, () => storage.listFilesSync(folder, pattern), unread)
    for (const dir of tryList(folder, () => storage.listDirsSync(folder), unread)) {
      const project = join(folder, dir)
      yield* tryList(project, () => storage.listFilesSync(project, pattern), unread)
    }
  }
}

function tryList(dir: string, list: () => string[], unread: Parameters<SessionSource['list']>[0]): readonly string[] {
  try {
    return list()
  } catch (error) {
    unread(dir, error)
    return []
  }
}

function isOptions(value: unknown): value is TranslatedSourceOptions {
  if (typeof value !== 'object' || value === null) return false
  const { name, folders } = value as Readonly<Record<string, unknown>>
  return typeof name === 'string' && Array.isArray(folders) && folders.every((folder) => typeof folder === 'string')
}
