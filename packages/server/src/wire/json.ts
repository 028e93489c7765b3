export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What other tools wrote may be anything: of another type it is as if it were not there. */
export function objectOr(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

export function textOr(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function listOr(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textsOf(value: unknown): string[] {
  return listOr(value).filter((item) => typeof item === 'string')
}

export function numberOr(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
