import type { ChatMessageNode, Role } from '@treeline/protocol'
import { copyText } from '../markdown/copy-text.ts'
import { goTo } from '../shell/route.ts'
import type { OpenSession } from '../state/open-session.ts'
import { t } from '../words/language.ts'
import { chatOf } from './chat-state.ts'
import type { IconName } from './Icon.tsx'
import { answerAgain, goOnFrom, setMuted, stopAnswers, textToEdit } from './message-actions.ts'

/** Something that can be done with a message, by a button or a key. */
export interface Command {
  readonly key: string
  readonly icon: IconName
  readonly label: string
  /** Nothing to do, and its place is kept: what is pressed twice must not hit the next one. */
  readonly isOff?: boolean
  readonly run: () => void
}

export interface MessageFacts {
  readonly id: string
  readonly role: Role
  readonly node: ChatMessageNode | undefined
  readonly isMuted: boolean
  readonly isGenerating: boolean
  readonly isLeaf: boolean
  readonly isLinear: boolean
}

/** What can be done with this one now. In a linear chat nothing that would choose or change a branch (T36). */
export function commandsFor(session: OpenSession, facts: MessageFacts): readonly Command[] {
  const { id, role, node, isMuted, isGenerating, isLeaf, isLinear } = facts
  const commands: (Command | false)[] = [
    isGenerating && {
      key: 's',
      icon: 'stop',
      label: t('Stop'),
      run: () => void stopAnswers(session, new Set([id])),
    },
    node !== undefined &&
      node.content !== '' && { key: 'c', icon: 'copy', label: t('Copy'), run: () => void copyText(node.content) },
    node !== undefined &&
      !isLinear &&
      !isGenerating &&
      isMessage(node) && {
        key: 'e',
        icon: 'edit',
        label: role === 'user' ? t('Say it differently') : t('Put it into other words'),
        run: () => beginEditing(session, node),
      },
    role === 'assistant' &&
      !isGenerating &&
      (!isLinear || isLeaf) && {
        key: 'r',
        icon: 'again',
        label: t('Answer once more'),
        run: () => void answerAgain(session, id),
      },
    role === 'user' &&
      !isLinear && {
        key: 'r',
        icon: 'again',
        label: t('Have it answered again'),
        run: () => void answerAgain(session, id),
      },
    !isLinear && {
      key: 'b',
      icon: 'branch',
      label: t('Go on from here'),
      isOff: isLeaf,
      run: () => void (isLeaf || goOnFrom(session, id)),
    },
    !isLinear && {
      key: 'm',
      icon: isMuted ? 'unmute' : 'mute',
      label: isMuted ? t('Unmute: the model gets it again') : t('Mute: the model no longer gets it'),
      run: () => void setMuted(session, [id], !isMuted),
    },
    !isLinear && {
      key: 't',
      icon: 'tree',
      label: t('Show in the tree'),
      run: () => goTo({ view: 'tree', nodeId: id }),
    },
  ]
  return commands.filter((command) => command !== false)
}

function isMessage({ role, metadata }: ChatMessageNode): boolean {
  return (role === 'user' || role === 'assistant') && metadata?.kind === undefined
}

function beginEditing(session: OpenSession, node: ChatMessageNode): void {
  chatOf(session).editing.update((all) => new Map(all).set(node.id, textToEdit(node)))
}
