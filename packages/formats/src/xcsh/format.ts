import type { Format } from '../format.ts'
import { detectXcsh } from './detect.ts'
import { xcshFolders } from './folders.ts'

export const xcsh: Format = {
  name: 'xcsh',
  title: 'xcsh',
  extension: '.jsonl',
  detect: detectXcsh,
  folders: xcshFolders,
}
