import { crc32 } from 'node:zlib'
import type { Entry } from '@treeline/core'
import type { SessionLocks } from '../locks/locks.ts'
import { createColumnsFile } from '../log/columns-file.ts'
import { columnsKey } from '../log/columns-key.ts'
import { FileLog } from '../log/file-log.ts'
import type { OnUnread } from '../log-files.ts'
import type { HomePaths } from '../paths.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { readPlaces } from './read-places.ts'
import type { NodePlace, SessionSource, SourceSession } from './session-source.ts'

export interface LogSourceOptions {
  readonly storage: SessionStorage
  /** Where columns are saved. */
  readonly paths: HomePaths
  readonly locks: SessionLocks
  readonly name: string
  readonly folders: readonly string[]
  readonly list: (unread: OnUnread) => Iterable<string>
}

/** Sessions kept as logs of the Treeline family: our own, Pi's, xcsh's, oh-my-pi's. They are only read. */
export function createLogSource(options: LogSourceOptions): SessionSource {
  const { storage, name, folders, list } = options
  return {
    name,
    folders,
    list,
    stat: (path) => storage.statSync(path),
    open: (path) => openSession(options, path),
    read: (path, places) => readPlaces(storage, path, places, (missing) => readByTree(options, path, missing)),
  }
}

async function openSession(options: LogSourceOptions, path: string): Promise<SourceSession> {
  const { size } = options.storage.statSync(path)
  const log = await openWhole(options, path)
  const { tree, readEntries, readRecords } = log.view()
  const { heads } = tree
  return {
    header: log.header,
    tree,
    size,
    get damageCount() {
      const { skipped, unlisted } = log.report()
      return skipped.length + unlisted
    },
    async markAt(rows) {
      const header = crc32(JSON.stringify(log.header))
      if (rows === 0) return `${header}`
      const [last] = await readRecords([rows - 1])
      return `${header}:${heads.offset[rows - 1]}:${heads.lengthOf(rows - 1)}:${crc32(last!)}`
    },
    readEntries,
    [Symbol.asyncDispose]: () => log.close(),
  }
}

/** Everything is looked at, so what is wrong with saved columns shows at once; the log itself says it all (I6). */
async function openWhole(options: LogSourceOptions, path: string): Promise<FileLog> {
  const log = await openLog(options, path)
  try {
    log.tree.load()
    return log
  } catch {
    await log.close()
    const { storage, locks } = options
    return FileLog.open({ storage, locks, path, readOnly: 'asked' })
  }
}

function openLog({ storage, paths, locks }: LogSourceOptions, path: string): Promise<FileLog> {
  const columns = createColumnsFile(storage, paths.columnsFile(columnsKey(paths, path)))
  return FileLog.open({ storage, locks, path, columns, readOnly: 'asked' })
}

/** For entries whose ids follow from their place in the log (version 1): only the tree knows them. */
async function readByTree(
  options: LogSourceOptions,
  path: string,
  places: readonly NodePlace[],
): Promise<(Entry | undefined)[]> {
  const log = await openWhole(options, path)
  await using _ = { [Symbol.asyncDispose]: () => log.close() }
  const { tree, readEntries } = log.view()
  const rows = places.map((place) => findRow(tree, place))
  const entries = await readEntries(rows.filter((row) => row >= 0))
  let next = 0
  return rows.map((row) => (row < 0 ? undefined : entries[next++]))
}

/** -1 when there is no such entry, or not at this place. */
function findRow({ ids, columns, heads }: FileLog['tree'], { id, offset, length }: NodePlace): number {
  const ref = ids.find(id)
  const row = ref > 0 ? columns.rowOf[ref]! : -1
  return row >= 0 && heads.offset[row] === offset && heads.lengthOf(row) === length ? row : -1
}
