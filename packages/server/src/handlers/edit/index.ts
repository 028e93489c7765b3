import type { Handlers } from '../../http/handler.ts'
import { putNodeState } from './put-node-state.ts'

export const editHandlers: Partial<Handlers> = { putNodeState }
