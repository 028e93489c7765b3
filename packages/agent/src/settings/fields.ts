export type Fields = Readonly<Record<string, unknown>>

/** What JSON calls an object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
