import type { Format } from '../format.ts'
import { detectComfytavern } from './detect.ts'

/** ComfyTavern keeps chats inside its projects, wherever those are; there is no usual folder. */
export const comfytavern: Format = {
  name: 'comfytavern',
  title: 'ComfyTavern',
  extension: '.json',
  detect: detectComfytavern,
  loadReader: async () => (await import('./read.ts')).readComfytavern,
}
