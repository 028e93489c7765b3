import type { Format } from '../format.ts'
import { detectNeovate } from './detect.ts'
import { neovateFolders } from './folders.ts'

/** Neovate Code, as of 0.17 and the shapes before it. */
export const neovate: Format = {
  name: 'neovate',
  title: 'Neovate',
  extension: '.jsonl',
  detect: detectNeovate,
  folders: neovateFolders,
  loadReader: async () => (await import('./read.ts')).readNeovate,
}
