import type { Sample } from '../sample.ts'
import { type Fields, isConfig, isFields } from './record.ts'

/** How a line begins of which the sample has not the end: one pasted image is longer than that. */
const LONG_LINE = /^\{(?:"parentUuid":(?:null|"[^"]*"),"uuid":"|"uuid":"[^"]*","parentUuid":)[^{[]*"role":"/
const LONG_CONFIG = /^\{"type":"config","config":\{"approval/

/** By its messages, which have a role and are linked by `uuid` and `parentUuid`; Claude Code's have no role there. */
export function detectNeovate({ records, text }: Sample): number {
  const messages = records.filter(isOwnMessage).length
  if (messages > 0) return messages * 2 >= records.filter((record) => !isConfig(record)).length ? 1 : 0.9
  if (records.some(isSettings)) return 0.9
  const from = text.lastIndexOf('\n') + 1
  const last = text.slice(from, from + 512)
  return LONG_LINE.test(last) || LONG_CONFIG.test(last) ? 0.8 : 0
}

function isOwnMessage({ type, uuid, parentUuid = null, role, message }: Fields): boolean {
  const isLinked = typeof uuid === 'string' && (parentUuid === null || typeof parentUuid === 'string')
  return type === 'message' && isLinked && typeof role === 'string' && message === undefined
}

function isSettings(record: Fields): boolean {
  return isConfig(record) && isFields(record.config) && Array.isArray(record.config.approvalTools)
}
