import { type FSWatcher, lstatSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { errnoOf } from '../storage-error.ts'

const POLL_MS = 500

interface Subscription {
  readonly path: string
  readonly onChange: () => void
  stop: () => void
}

interface WatchedFolder {
  readonly watcher: FSWatcher
  readonly subscriptions: Set<Subscription>
}

/**
 * Watches the folder, since a file replaced underneath takes its own watch with it; one watch serves all files of a
 * folder. Where the system refuses (its inotify limit, a missing folder) the file is polled. Keeps no process alive.
 */
export function createFileWatch(): (path: string, onChange: () => void) => () => void {
  const folders = new Map<string, WatchedFolder>()

  function openFolder(dir: string): WatchedFolder {
    const subscriptions = new Set<Subscription>()
    const watcher = watch(dir, { persistent: false }, (_event, name) => {
      for (const subscription of [...subscriptions]) {
        if (name === null || name === basename(subscription.path)) subscription.onChange()
      }
    })
    const folder = { watcher, subscriptions }
    folders.set(dir, folder)
    watcher.on('error', () => {
      closeFolder(dir, folder)
      for (const subscription of subscriptions) {
        subscription.stop = poll(subscription)
        subscription.onChange()
      }
    })
    return folder
  }

  function closeFolder(dir: string, folder: WatchedFolder): void {
    if (folders.get(dir) === folder) folders.delete(dir)
    folder.watcher.close()
  }

  function subscribe(subscription: Subscription): () => void {
    const dir = dirname(subscription.path)
    let folder: WatchedFolder
    try {
      folder = folders.get(dir) ?? openFolder(dir)
    } catch {
      // Whatever the reason, polling needs nothing of the system and says the same, later.
      return poll(subscription)
    }
    folder.subscriptions.add(subscription)
    return () => {
      folder.subscriptions.delete(subscription)
      if (folder.subscriptions.size === 0) closeFolder(dir, folder)
    }
  }

  return (path, onChange) => {
    const subscription: Subscription = { path, onChange, stop: () => {} }
    subscription.stop = subscribe(subscription)
    return () => subscription.stop()
  }
}

/** Looks once before it returns, so that no later change is missed, which `fs.watchFile` does not. */
function poll({ path, onChange }: Subscription): () => void {
  let seen = look(path)
  const timer = setInterval(() => {
    const now = look(path)
    if (now === seen) return
    seen = now
    onChange()
  }, POLL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function look(path: string): string {
  try {
    const { dev, ino, size, mtimeNs } = lstatSync(path, { bigint: true })
    return [dev, ino, size, mtimeNs].join(':')
  } catch (error) {
    // Missing or out of reach is a state as any other; whoever is told will open the file and see.
    return errnoOf(error) ?? ''
  }
}
