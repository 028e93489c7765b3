import { recogniseLog } from '../log-sample.ts'
import type { Sample } from '../sample.ts'

/** A log without another tool's marks is what Pi writes; our own are in Pi's format too. */
export function detectPi(sample: Sample): number {
  const { sureness, dialect } = recogniseLog(sample)
  return dialect === 'pi' || dialect === 'treeline' ? sureness : 0
}
