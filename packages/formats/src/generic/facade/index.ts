/** `@treeline/formats/generic`: seed 004's functions over flat files (P9–P26), durable and without its losses. */

export { buildConversationHistory, type FlatEntry, findIncompleteToolCalls, getAllBranches } from '@treeline/core'
export { type LoadOptions, loadSession } from './load-session.ts'
export {
  type RecoverOptions,
  type RestorableAgent,
  RestoredAgent,
  type RetryOptions,
  recoverSession,
  recoverWithRetry,
} from './recover.ts'
export { type ListedBranch, type ManagerOptions, type NewMessage, SessionManager } from './session-manager.ts'
export { SessionWriter, type WriterOptions } from './session-writer.ts'
export { visualizeBranches } from './visualize.ts'
