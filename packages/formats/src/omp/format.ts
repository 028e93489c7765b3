import type { Format } from '../format.ts'
import { detectOmp } from './detect.ts'
import { ompFolders } from './folders.ts'

export const omp: Format = {
  name: 'omp',
  title: 'oh-my-pi',
  extension: '.jsonl',
  detect: detectOmp,
  folders: ompFolders,
}
