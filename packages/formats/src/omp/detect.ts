import { recogniseLog } from '../log-sample.ts'
import type { Sample } from '../sample.ts'

/** Most often its title slot, 256 bytes before the header, gives it away. */
export function detectOmp(sample: Sample): number {
  const { sureness, dialect } = recogniseLog(sample)
  return dialect === 'omp' ? sureness : 0
}
