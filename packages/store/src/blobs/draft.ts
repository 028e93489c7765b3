import type { JsonPath } from './json-pointer.ts'

export type Container = Record<string | number, unknown>

/** A JSON value being changed: copies what lies on the way to a change, once, and shares the rest. */
export class Draft<T extends object> {
  #root: Container
  readonly #copies = new Set<unknown>()

  constructor(root: T) {
    this.#root = root as Container
  }

  /** The value so far; the very same object as long as nothing was changed. */
  get value(): T {
    return this.#root as T
  }

  set(path: JsonPath, value: unknown): void {
    this.#holderOf(path)[path.at(-1)!] = value
  }

  remove(path: JsonPath): void {
    delete this.#holderOf(path)[path.at(-1)!]
  }

  /** After the text at `path` became another one: a line count beside a `content` is about that content. */
  recount(path: JsonPath, lines: number): void {
    const beside = this.#holderOf(path)
    if (path.at(-1) === 'content' && typeof beside.lineCount === 'number') beside.lineCount = lines
  }

  #holderOf(path: JsonPath): Container {
    this.#root = this.#copy(this.#root)
    let holder = this.#root
    for (const key of path.slice(0, -1)) {
      const child = this.#copy(holder[key] as Container)
      // A spread copy has `__proto__` as a member of its own where its source had, so this is safe for that key too.
      holder[key] = child
      holder = child
    }
    return holder
  }

  #copy(container: Container): Container {
    if (this.#copies.has(container)) return container
    const copy = Array.isArray(container) ? (container.slice() as unknown as Container) : { ...container }
    this.#copies.add(copy)
    return copy
  }
}
