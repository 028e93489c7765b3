import type { Sample } from '../sample.ts'
import { isP9Record } from './p9-record.ts'

/** Flat records with an id, one of four types and a text. With a time in milliseconds nothing else is meant by it. */
export function detectGeneric({ records }: Sample): number {
  const own = records.filter((record) => isP9Record(record) && !Object.hasOwn(record, 'message'))
  if (own.length === 0 || own.length * 2 < records.length) return 0
  const timed = own.filter(({ timestamp }) => typeof timestamp === 'number').length
  return ((timed * 2 >= own.length ? 0.9 : 0.5) * own.length) / records.length
}
