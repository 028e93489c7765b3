import { isObject, type JsonObject } from '../context/json.ts'
import { TreelineError } from '../errors.ts'

/** Ends a restore: whoever asked for it reads the log instead. */
export function refuseSaved(what: string): never {
  throw new TreelineError(
    'damaged',
    `The saved columns are not usable (${what}). The log has everything; read it anew.`,
  )
}

/** Throws unless the value is of the right form, and gives it back. */
export type ReadSaved<T> = (value: unknown) => T

export const readObject: ReadSaved<JsonObject> = (value) => (isObject(value) ? value : refuseSaved('no object'))

export const readText: ReadSaved<string> = (value) => (typeof value === 'string' ? value : refuseSaved('no text'))

export const readAnything: ReadSaved<unknown> = (value) => value

/** From 0. */
export const readWhole: ReadSaved<number> = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : refuseSaved('no whole number')

/** A number below `count`: nothing restored points outside the columns. */
export function readBelow(count: number): ReadSaved<number> {
  return (value) => (readWhole(value) < count ? (value as number) : refuseSaved('a number out of range'))
}

export function readList<T>(read: ReadSaved<T>): ReadSaved<T[]> {
  return (value) => (Array.isArray(value) ? value.map((item) => read(item)) : refuseSaved('no list'))
}

export function readOptional<T>(read: ReadSaved<T>): ReadSaved<T | undefined> {
  return (value) => (value === undefined ? undefined : read(value))
}

export function readMap<K, V>(readKey: ReadSaved<K>, readValue: ReadSaved<V>): ReadSaved<Map<K, V>> {
  const readPair = (value: unknown): [K, V] => {
    const [key, held] = readList(readAnything)(value)
    return [readKey(key), readValue(held)]
  }
  return (value) => new Map(readList(readPair)(value))
}
