import type { Agent, RequestPreview } from '@treeline/agent'
import { type LineMessage, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { Content } from './read-content.ts'
import type { Wanted } from './read-specs.ts'

/** What is about to be said, and by whom. */
export interface Said {
  readonly role: 'user' | 'system'
  readonly content: Content
}

/** Before anything is written: what no model could answer or take is not begun, unless it may be summed up. */
export async function refuseRequest(
  agent: Agent,
  session: Session,
  tipId: string | null,
  wanted: readonly Wanted[],
  said?: Said,
): Promise<void> {
  const models = new Map(wanted.map((one) => [`${one.model} ${one.mayCompact} ${one.truncates}`, one]))
  for (const { model, mayCompact, truncates } of models.values()) {
    // A model that cannot be opened or a line that cannot be read: the answer’s node says what is wrong.
    const preview = await agent
      .preview(session, { tipId, ...(model !== undefined && { model }) })
      .catch(() => undefined)
    if (preview === undefined) continue
    refuseSilence(preview, said)
    if (!mayCompact) refuseOverflow(agent, preview, said, truncates)
  }
}

/** A system message says how to answer and not what. */
function refuseSilence({ line }: RequestPreview, said: Said | undefined): void {
  const last = said?.role === 'user' ? 'user' : line.messages.at(-1)?.role
  if (last === 'user' || last === 'tool') return
  const message = 'There is nothing to answer here: the last word is not a question. Say something, or do not generate.'
  throw new TreelineError('invalid_role_sequence', message)
}

/** Of one that is made to fit, what is always sent has to fit: the instructions, and what is said now. */
function refuseOverflow(
  { env }: Agent,
  { model, size }: RequestPreview,
  said: Said | undefined,
  truncates = false,
): void {
  const before = truncates ? size.fixedTokens : size.tokens
  const tokens = before + (said === undefined ? 0 : env.estimate([messageOf(said)]))
  const { ref, info } = model
  if (tokens <= info.contextWindow) return
  const message =
    `This would be about ${tokens} tokens, and ${ref} takes ${info.contextWindow}. ` +
    'Mute or compact a part of it, choose the strategy "compact" or "truncate", or ask a model with more room.'
  throw new TreelineError('context_overflow', message, { tokens })
}

function messageOf({ content }: Said): LineMessage {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return { role: 'user', content: parts, nodeIds: [] }
}
