import type { Handlers } from '../../http/handler.ts'

export const generateHandlers: Partial<Handlers> = {}
