import { resolve } from 'node:path'
import { type MemoryNode, pathOf } from './memory-node.ts'

/** Tells watchers within this process, in a microtask, once for all changes before it. */
export class MemoryWatch {
  readonly #listeners = new Map<string, Set<() => void>>()
  readonly #touched = new Set<string>()

  add(path: string, onChange: () => void): () => void {
    const key = resolve(path)
    const listener = () => onChange()
    const set = this.#listeners.get(key) ?? new Set()
    this.#listeners.set(key, set.add(listener))
    return () => {
      set.delete(listener)
      if (set.size === 0 && this.#listeners.get(key) === set) this.#listeners.delete(key)
    }
  }

  touch(path: string): void {
    const key = resolve(path)
    if (!this.#listeners.has(key) || this.#touched.has(key)) return
    this.#touched.add(key)
    queueMicrotask(() => {
      this.#touched.delete(key)
      for (const listener of [...(this.#listeners.get(key) ?? [])]) listener()
    })
  }

  touchNode(node: MemoryNode): void {
    if (this.#listeners.size === 0) return
    const path = pathOf(node)
    if (path !== undefined) this.touch(path)
  }
}
