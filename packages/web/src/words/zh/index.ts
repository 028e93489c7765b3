import { chat } from './chat.ts'
import { shell } from './shell.ts'

/** Simplified Chinese, by the English text. */
export const zh: Readonly<Record<string, string>> = { ...chat, ...shell }
