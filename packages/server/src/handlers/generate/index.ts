import type { Handlers } from '../../http/handler.ts'
import { editNode } from './edit-node.ts'
import { generate } from './generate.ts'
import { cancelGeneration, getGenerations } from './generations.ts'
import { compact, merge, summarize } from './jobs.ts'
import { postMessage } from './post-message.ts'
import { resolveApproval } from './resolve-approval.ts'

type Names =
  | 'postMessage'
  | 'generate'
  | 'editNode'
  | 'getGenerations'
  | 'cancelGeneration'
  | 'summarize'
  | 'merge'
  | 'compact'
  | 'resolveApproval'

export const generateHandlers: Handlers<Names> = {
  postMessage,
  generate,
  editNode,
  getGenerations,
  cancelGeneration,
  summarize,
  merge,
  compact,
  resolveApproval,
}
