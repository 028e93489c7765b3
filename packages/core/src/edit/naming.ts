import type { EditState } from './state.ts'

/** Whether the name that stands was given by somebody, and not made up by Treeline. What the header says does not count. */
export function isNamedByPerson({ name, stamps, records }: EditState): boolean {
  if (typeof name !== 'string') return false
  const line = stamps.get('name')
  return records.findLast((record) => record.line === line)?.auto !== true
}
