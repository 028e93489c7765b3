/** A way into a JSON value: keys of objects, positions in arrays. */
export type JsonPath = readonly (string | number)[]

/** RFC 6901: `/message/content/0/text`. */
export function formatPointer(path: JsonPath): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

export function parsePointer(pointer: string): JsonPath | undefined {
  if (!pointer.startsWith('/')) return undefined
  const keys = pointer.slice(1).split('/')
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}
