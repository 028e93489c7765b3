import type { Handlers } from '../http/handler.ts'
import { editHandlers } from './edit/index.ts'
import { generateHandlers } from './generate/index.ts'
import { sessionHandlers } from './sessions/index.ts'
import { treeHandlers } from './tree/index.ts'

/** What is done for each route of the table. One that has none does not compile. */
export const handlers: Handlers = {
  ...sessionHandlers,
  ...treeHandlers,
  ...editHandlers,
  ...generateHandlers,
}
