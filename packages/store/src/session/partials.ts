import { basename } from 'node:path'
import { isSafeId, TreelineError } from '@treeline/core'
import type { HomePaths } from '../paths.ts'
import type { SessionStorage, SessionStorageWriter } from '../storage/storage.ts'
import { errnoOf, storageError } from '../storage-error.ts'

/**
 * What has been said so far of answers that are still being generated, so that a crash loses only the last moments. What
 * the lines say is the writer's affair. Not a part of the log: whoever finishes an answer removes what was kept of it.
 */
export interface Partials {
  /** Keeps text of an answer, behind what was kept before. Nothing is on the disk before the first `append`. */
  open(nodeId: string): PartialWriter
  /** The answers of which something is kept. */
  list(): readonly string[]
  /** `undefined` when nothing is kept. Lines may be torn: the last one, and those after which writing went on. */
  read(nodeId: string): Promise<string | undefined>
  /** Of what is finished, after its writer was closed. A power cut may bring it back. */
  remove(nodeId: string): Promise<void>
}

export interface PartialWriter {
  /**
   * One line, which holds no line end. When this resolves it survives a power cut. When it fails the next one may do
   * better: it is a line of its own, whatever is left of this one.
   */
  append(line: string): Promise<void>
  close(): Promise<void>
}

const MAX_ATTEMPTS = 20
const LINE_END = 0x0a

/** `undefined` for a session whose id cannot be the name of a folder: another tool's. */
export function createPartials(storage: SessionStorage, paths: HomePaths, sessionId: string): Partials | undefined {
  if (!isSafeId(sessionId)) return undefined
  const dir = paths.partialDir(sessionId)
  return {
    open: (nodeId) => openPartial(storage, dir, paths.partialFile(sessionId, nodeId)),
    list() {
      try {
        // Others may have put files there that are nobody's answer.
        return storage
          .listFilesSync(dir, '*')
          .map((path) => basename(path))
          .filter(isSafeId)
      } catch (error) {
        throw storageError(error, 'It cannot be known of which answers something is kept', dir)
      }
    },
    async read(nodeId) {
      const path = paths.partialFile(sessionId, nodeId)
      try {
        return await storage.readText(path)
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') return undefined
        throw storageError(error, 'What was kept of an answer cannot be read', path)
      }
    },
    async remove(nodeId) {
      const path = paths.partialFile(sessionId, nodeId)
      try {
        await unless(['ENOENT'], storage.unlink(path))
        // The folder stays when others are being generated.
        await unless(['ENOENT', 'ENOTEMPTY', 'EEXIST'], storage.removeDir(dir))
      } catch (error) {
        throw storageError(error, 'What was kept of an answer cannot be removed', path)
      }
    },
  }
}

async function unless(codes: readonly string[], done: Promise<void>): Promise<void> {
  try {
    await done
  } catch (error) {
    if (!codes.includes(errnoOf(error) ?? '')) throw error
  }
}

function openPartial(storage: SessionStorage, dir: string, path: string): PartialWriter {
  let opening: Promise<SessionStorageWriter> | undefined
  let isClosed = false
  return {
    async append(line) {
      if (isClosed) throw new TreelineError('bad_request', `What is kept of an answer was closed already (${path}).`)
      opening ??= openIn(storage, dir, path)
      const used = opening
      try {
        const writer = await used
        await writer.writeLine(line)
        await writer.fsync()
      } catch (error) {
        // A writer that has failed stays so: the next line gets another.
        if (opening === used) opening = undefined
        await closeQuietly(used)
        throw storageError(error, 'What an answer says so far cannot be kept', path)
      }
    },
    async close() {
      isClosed = true
      if (opening !== undefined) await closeQuietly(opening)
    },
  }
}

/** Everything that was promised is on the disk already, and what failed has been told. */
async function closeQuietly(opening: Promise<SessionStorageWriter>): Promise<void> {
  await opening.then((writer) => writer.close()).catch(() => {})
}

async function openIn(storage: SessionStorage, dir: string, path: string): Promise<SessionStorageWriter> {
  const writer = openFile(storage, dir, path)
  try {
    await storage.syncDir(dir)
    if (isTorn(writer)) await writer.writeLine('')
    return writer
  } catch (error) {
    await closeQuietly(Promise.resolve(writer))
    throw error
  }
}

/** The last of the others to finish takes the folder away, perhaps just now. */
function openFile(storage: SessionStorage, dir: string, path: string): SessionStorageWriter {
  for (let attempt = 1; ; attempt++) {
    try {
      storage.ensureDirSync(dir)
      return storage.openWriter(path, { flags: 'a' })
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT' || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

function isTorn(writer: SessionStorageWriter): boolean {
  const { size } = writer.statSync()
  const last = new Uint8Array(1)
  return size > 0 && writer.readSync(last, size - 1) === 1 && last[0] !== LINE_END
}
