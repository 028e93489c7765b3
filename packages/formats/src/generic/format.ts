import type { Format } from '../format.ts'
import { detectGeneric } from './detect.ts'

/** Flat entries, one per line, without a header (seed 004). No tool of its own, hence no usual folder. */
export const generic: Format = {
  name: 'generic',
  title: 'Generic JSONL',
  extension: '.jsonl',
  detect: detectGeneric,
  loadReader: async () => (await import('./read.ts')).readGeneric,
}
