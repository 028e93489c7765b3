import type { Entry } from '@treeline/core'
import type { NodeMetadata, NodeStatus } from '@treeline/protocol'
import { isObject, type JsonObject, listOr, objectOr, textOr } from './json.ts'

/** How a node came to its end, as the wire says it. */
export interface Outcome {
  readonly status: NodeStatus
  readonly finishReason?: NodeMetadata['finishReason']
  readonly isTruncated?: true
  readonly error?: string
  /** Of a failure: what went wrong, as a code. */
  readonly code?: string
}

const FINISHED: ReadonlyMap<unknown, Outcome> = new Map<unknown, Outcome>([
  ['stop', { status: 'complete', finishReason: 'stop' }],
  ['length', { status: 'complete', finishReason: 'length', isTruncated: true }],
  ['toolUse', { status: 'complete', finishReason: 'tool_calls' }],
])

/** `entry` is the node's own body: without one its bytes are damaged. */
export function outcomeOf(entry: Entry | undefined): Outcome {
  if (entry === undefined)
    return { status: 'error', error: 'The stored bytes of this node are damaged.', code: 'damaged' }
  const message = objectOr(entry.message)
  if (entry.type !== 'message' || message.role !== 'assistant') return { status: 'complete' }
  if (message.isInterrupted === true) {
    return {
      status: 'error',
      finishReason: 'interrupted',
      isTruncated: true,
      error: 'interrupted',
      code: 'interrupted',
    }
  }
  if (message.stopReason === 'aborted') return cancelled(message)
  if (message.stopReason === 'error') return failed(message)
  return FINISHED.get(message.stopReason) ?? { status: 'complete' }
}

function cancelled(message: JsonObject): Outcome {
  if (hasText(message)) return { status: 'complete', finishReason: 'cancelled', isTruncated: true }
  return { status: 'error', finishReason: 'cancelled', error: 'cancelled', code: 'cancelled' }
}

function failed(message: JsonObject): Outcome {
  return {
    status: 'error',
    finishReason: 'error',
    error: textOr(message.errorMessage) || 'error',
    code: textOr(message.errorCode) || 'provider_error',
    ...(hasText(message) && { isTruncated: true }),
  }
}

function hasText({ content }: JsonObject): boolean {
  return listOr(content).some((block) => isObject(block) && block.type === 'text' && textOr(block.text) !== '')
}
