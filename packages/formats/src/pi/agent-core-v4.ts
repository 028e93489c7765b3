import { TreelineError } from '@treeline/core'
import type { Sample } from '../sample.ts'

/** Written by the library pi-agent-core 0.84–0.87, in Pi's folders and under its names, but not in its format. */
export function isAgentCoreV4({ records: [first] }: Sample): boolean {
  return first !== undefined && first.v === 4 && first.kind === 'header'
}

/** Read as a log it would be one damaged line after the other. */
export function refuseAgentCoreV4(path: string, sample: Sample): void {
  if (!isAgentCoreV4(sample)) return
  const message =
    `${path} was written by pi-agent-core 0.84 to 0.87 (its format 4), which is not the format of Pi's sessions. ` +
    'Treeline does not read it, nor does Pi. The file was not changed.'
  throw new TreelineError('unsupported_media_type', message)
}
