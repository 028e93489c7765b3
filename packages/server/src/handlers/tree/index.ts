import type { Handlers } from '../../http/handler.ts'

export const treeHandlers: Partial<Handlers> = {}
