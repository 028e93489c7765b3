import type { SearchRole } from './search-types.ts'

/** By code. The numbers are saved in the index: append, never renumber. */
const ROLES: readonly SearchRole[] = [
  'other',
  'user',
  'assistant',
  'toolResult',
  'bashExecution',
  'custom',
  'summary',
  'system',
]

export function roleCode(role: SearchRole): number {
  return Math.max(0, ROLES.indexOf(role))
}

export function roleOfCode(code: number): SearchRole {
  return ROLES[code] ?? 'other'
}

export function isSearchRole(value: unknown): value is SearchRole {
  return ROLES.includes(value as SearchRole)
}
