import type { Format } from '../format.ts'
import { detectComfytavern } from './detect.ts'
import { readComfytavern } from './read.ts'

/** ComfyTavern keeps chats inside its projects, wherever those are; there is no usual folder. */
export const comfytavern: Format = {
  name: 'comfytavern',
  title: 'ComfyTavern',
  extension: '.json',
  detect: detectComfytavern,
  read: readComfytavern,
}
