import type { Words } from '../../output/language.ts'
import { chatWords } from './zh/chat.ts'
import { commandWords } from './zh/commands.ts'
import { listWords } from './zh/lists.ts'
import { sharedWords } from './zh/shared.ts'
import { treeCommandWords } from './zh/tree-commands.ts'

/** Simplified Chinese. Loaded only where it is spoken. */
export const zh: Words = { ...sharedWords, ...chatWords, ...listWords, ...commandWords, ...treeCommandWords }
