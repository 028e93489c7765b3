import type { Handlers } from '../../http/handler.ts'

export const sessionHandlers: Partial<Handlers> = {}
