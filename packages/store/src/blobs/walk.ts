import type { Container } from './draft.ts'
import type { JsonPath } from './json-pointer.ts'

/** An object or array met on the way through an entry. */
export interface Node {
  readonly value: Container
  readonly key: string | number
  readonly parent: Node | undefined
  readonly depth: number
}

/** Deepest nesting core lets into a log, the entry itself counted as 1. */
const MAX_DEPTH = 64

/** What to do after a member: look into it, pass over it, or end the walk. */
export type Step = 'into' | 'past' | 'end'
type Visit = (node: Node, key: string | number, value: unknown) => Step

/**
 * Shows every member of every object and array. Returns false when `visit` ended it, or when a value is nested too deep (a
 * cycle for one), which no log takes anyway. Walks with a stack of its own.
 */
export function walk(root: object, visit: Visit): boolean {
  const open: Node[] = [{ value: root as Container, key: '', parent: undefined, depth: 1 }]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.depth > MAX_DEPTH) return false
    const { value } = node
    const names = Array.isArray(value) ? undefined : Object.keys(value)
    const count = names === undefined ? (value.length as number) : names.length
    for (let i = 0; i < count; i++) {
      const key = names === undefined ? i : names[i]!
      const child = value[key]
      const step = visit(node, key, child)
      if (step === 'end') return false
      if (step === 'into' && isPlain(child)) open.push({ value: child, key, parent: node, depth: node.depth + 1 })
    }
  }
  return true
}

export function pathTo(node: Node, key: string | number): JsonPath {
  const path = [key]
  for (let at = node; at.parent !== undefined; at = at.parent) path.push(at.key)
  return path.reverse()
}

/** An image block in an array named `content`: the place where this field's tools keep images by reference. */
export function isContentImage({ value, parent }: Node): boolean {
  return parent?.key === 'content' && Array.isArray(parent.value) && value.type === 'image'
}

/** What JSON carries as an object or array; dates and the like stringify themselves and are left to it. */
export function isPlain(value: unknown): value is Container {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null
}
