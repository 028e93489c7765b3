import type { Format } from '../format.ts'
import { detectPi } from './detect.ts'
import { piFolders } from './folders.ts'

/** Pi's coding agent, all versions. */
export const pi: Format = { name: 'pi', title: 'Pi', extension: '.jsonl', detect: detectPi, folders: piFolders }
