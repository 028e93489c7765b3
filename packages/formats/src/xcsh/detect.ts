import { recogniseLog } from '../log-sample.ts'
import type { Sample } from '../sample.ts'

export function detectXcsh(sample: Sample): number {
  const { sureness, dialect } = recogniseLog(sample)
  return dialect === 'xcsh' ? sureness : 0
}
