import { setEntry } from '../storage/memory-disk.ts'
import {
  cutAt,
  type MemoryDir,
  type MemoryFile,
  type MemoryNode,
  newDir,
  newFile,
  writeAt,
} from '../storage/memory-node.ts'
import { applyChanges, type CrashJournal, type PendingWrite } from './crash-storage-journal.ts'

type Random = () => number
type Entries = ReadonlyMap<MemoryDir, ReadonlyMap<string, MemoryNode>>

/** A new tree: what is durable, and of the rest what chance keeps. */
export function surviveCrash(journal: CrashJournal, root: MemoryDir, random: Random): MemoryDir {
  return copyDir(journal, root, survivingEntries(journal, random), random)
}

/** In order, and in no folder past the first that is lost; so a rename happens in both its folders or in neither. */
function survivingEntries(journal: CrashJournal, random: Random): Entries {
  const entries = journal.durableEntries()
  const ended = new Set<MemoryDir>()
  for (const changes of journal.pendingChanges) {
    const isPossible = !changes.some((change) => ended.has(change.dir))
    if (isPossible && random() < 0.5) applyChanges(entries, changes)
    else for (const change of changes) ended.add(change.dir)
  }
  return entries
}

function copyDir(journal: CrashJournal, dir: MemoryDir, entries: Entries, random: Random): MemoryDir {
  const copy = newDir(dir.id)
  for (const [name, node] of entries.get(dir) ?? []) {
    const below = node.kind === 'dir' ? copyDir(journal, node, entries, random) : copyFile(journal, node, random)
    setEntry(copy, name, below)
  }
  copy.mtimeMs = dir.mtimeMs
  return copy
}

function copyFile(journal: CrashJournal, file: MemoryFile, random: Random): MemoryFile {
  const { durable, pending } = journal.stateOf(file)
  const copy = newFile(file.id)
  writeAt(copy, 0, durable.bytes.subarray(0, durable.size))
  for (const write of pending) survive(copy, write, random)
  copy.mtimeMs = file.mtimeMs
  return copy
}

/** Half of all writes are kept; the others are torn, garbage, zeros or gone. A gap before a later one reads as zeros. */
function survive(copy: MemoryFile, write: PendingWrite, random: Random): void {
  const fate = random()
  if (write.type === 'cut') {
    if (fate < 0.5) cutAt(copy, write.size)
    return
  }
  const { position, bytes } = write
  if (fate < 0.5) writeAt(copy, position, bytes)
  else if (fate < 0.6) writeAt(copy, position, bytes.subarray(0, Math.floor(random() * bytes.length)))
  else if (fate < 0.7)
    writeAt(
      copy,
      position,
      bytes.map(() => Math.floor(random() * 256)),
    )
  else if (fate < 0.8) writeAt(copy, position, new Uint8Array(bytes.length))
}
