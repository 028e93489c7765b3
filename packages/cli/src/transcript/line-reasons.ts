import type { LineNode, OutReason, Repair } from '@treeline/core'
import { t } from '../output/language.ts'

const OUT: Readonly<Record<OutReason, () => string>> = {
  muted: () => t('muted'),
  compacted: () => t('in a summary'),
  reset: () => t('before a reset'),
  generating: () => t('still being written'),
  failed: () => t('failed'),
  omitted: () => t('withdrawn'),
  excluded: () => t('kept from the model'),
  empty: () => t('says nothing'),
  unreadable: () => t('unreadable'),
}

const REPAIRED: Readonly<Record<Repair, () => string>> = {
  result_as_text: () => t('result as text'),
  result_moved: () => t('moved to its call'),
  result_missing: () => t('result supplied'),
  call_renamed: () => t('call id changed'),
}

/** Why a node is in the line as it is, or out of it, in a few words; `''` when there is nothing to say. */
export function reasonText(node: LineNode): string {
  if (!node.in) return OUT[node.reason]()
  return (node.repairs ?? []).map((repair) => REPAIRED[repair]()).join(t(', '))
}

/** The same for a program. */
export function reasonJson(node: LineNode): object {
  const { nodeId: id } = node
  if (!node.in) return { id, in: false, reason: node.reason }
  if (node.repairs === undefined) return { id, in: true, reason: null }
  return { id, in: true, reason: 'repaired', repairs: node.repairs }
}
