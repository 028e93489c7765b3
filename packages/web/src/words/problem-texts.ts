import type { ErrorCode } from '@treeline/core'
import { t } from './language.ts'

/**
 * What a code of core's means to somebody at this page, and what to do. Without ids, which mean nothing to them. Every code
 * has one: the compiler sees to that, and `words.test.ts` to its translation.
 */
export function problemText(code: ErrorCode): string {
  switch (code) {
    case 'bad_request':
    case 'validation_failed':
    case 'invalid_entry':
    case 'unsupported_media_type':
      return t('The server does not take this.')
    case 'unauthorized':
      return t('You are not let in. Take a new link from the terminal in which Treeline runs.')
    case 'forbidden':
      return t('This is not allowed here.')
    case 'linear_mode':
      return t('This is a plain chat. Go back to the tree to do this.')
    case 'session_not_found':
      return t('There is no such conversation any more, or the address is wrong.')
    case 'node_not_found':
      return t('This message is not here any more: it may have been deleted meanwhile.')
    case 'generation_not_found':
    case 'generation_finished':
      return t('This answer is done already.')
    case 'fragment_not_found':
      return t('This is not in the stash any more.')
    case 'approval_not_found':
      return t('This question was answered already.')
    case 'blob_not_found':
      return t('The file that belongs here is missing.')
    case 'token_not_found':
      return t('There is no such token.')
    case 'stale_version':
    case 'stale_node':
      return t('This was changed meanwhile. Look at it again, then decide.')
    case 'nothing_to_undo':
      return t('There is nothing of yours left to undo or redo.')
    case 'id_in_use':
    case 'ambiguous_id':
      return t('The name is taken.')
    case 'node_detached':
      return t('This message is in the stash by now. Put it back before you go on from it.')
    case 'parent_generating':
      return t('This answer is still being written. Wait until it is done, or go on from an earlier message.')
    case 'subtree_generating':
      return t('An answer is still being written below this. Wait until it is done, or stop it.')
    case 'session_locked':
      return t('This conversation cannot be written to. Run `treeline doctor` to repair it.')
    case 'cursor_expired':
      return t('The list has changed meanwhile. Open it again.')
    case 'payload_too_large':
      return t('This is too large.')
    case 'cycle':
      return t('A branch cannot be put under itself.')
    case 'fragment_not_linear':
      return t('What branches cannot be put in between. Graft it under the message.')
    case 'invalid_header':
      return t('This does not look like a conversation that can be read.')
    case 'context_overflow':
      return t(
        'The line is too long for this model. Mute what is not needed, compact it, or choose one with more room.',
      )
    case 'invalid_role_sequence':
      return t('No model takes messages in this order.')
    case 'too_many_generations':
      return t('Too many answers are being written. Stop one of them, or wait until one is done.')
    case 'rate_limited':
      return t('That was too much at once. Wait a moment, then try again.')
    case 'damaged':
      return t('The file of this conversation is damaged. Run `treeline doctor` to see what can be read.')
    case 'internal':
      return t('Something went wrong in the server. Try again.')
    case 'provider_error':
      return t('The model could not be asked, or did not answer.')
    case 'storage_full':
      return t('The disk is full. Free some room, then try again.')
  }
}

/** Those that say too little without the server's own words. */
export const NEEDS_DETAIL: ReadonlySet<string> = new Set<ErrorCode>([
  ...(['bad_request', 'validation_failed', 'invalid_entry', 'unsupported_media_type', 'payload_too_large'] as const),
  ...(['unauthorized', 'forbidden', 'id_in_use', 'ambiguous_id', 'session_locked', 'invalid_header'] as const),
  ...(['invalid_role_sequence', 'damaged', 'internal', 'provider_error'] as const),
])
