import { type ChatMessageNode, type Part, routes } from '@treeline/protocol'
import { tell, tellProblem } from '../shell/notices.ts'
import type { OpenSession } from '../state/open-session.ts'
import { t } from '../words/language.ts'
import { toSpecs } from './ask-choice.ts'
import { chatOf } from './chat-state.ts'

/** An answer once more, beside it; of what somebody said, an answer to it. The chat goes along. */
export async function answerAgain(session: OpenSession, nodeId: string): Promise<void> {
  try {
    await session.connection.call(routes.generate, {
      params: { sessionId: session.id, nodeId },
      body: { specs: toSpecs(chatOf(session).choice.get()), activate: 'always' },
    })
  } catch (error) {
    tellProblem(error)
  }
}

/** Says it differently: a new sibling. What a person said is answered anew. True when the server has it. */
export async function sayDifferently(session: OpenSession, node: ChatMessageNode, text: string): Promise<boolean> {
  const isQuestion = node.role === 'user'
  try {
    await session.connection.call(routes.editNode, {
      params: { sessionId: session.id, nodeId: node.id },
      body: {
        content: withText(node, text),
        generate: isQuestion ? toSpecs(chatOf(session).choice.get()) : false,
        activate: 'always',
      },
    })
    return true
  } catch (error) {
    tellProblem(error)
    return false
  }
}

/** What goes with a question stays with it; an answer is text alone. */
export function withText({ role, parts = [] }: Pick<ChatMessageNode, 'role' | 'parts'>, text: string): string | Part[] {
  const rest = parts[0]?.type === 'text' ? parts.slice(1) : parts
  return role === 'assistant' || rest.length === 0 ? text : [{ type: 'text', text }, ...rest]
}

/** What was said itself, without files that stand behind it. */
export function textToEdit({ role, content, parts }: Pick<ChatMessageNode, 'role' | 'content' | 'parts'>): string {
  if (role === 'assistant' || parts === undefined) return content
  return parts[0]?.type === 'text' ? parts[0].text : ''
}

export async function goOnFrom(session: OpenSession, nodeId: string): Promise<void> {
  const before = session.tree.activeLeafId
  try {
    await session.setActiveLeaf(nodeId)
    tell(t('You go on from here. What came after is kept as a branch.'), {
      of: session.id,
      action: { label: t('Back'), run: () => void session.setActiveLeaf(before).catch(tellProblem) },
    })
  } catch (error) {
    tellProblem(error)
  }
}

export async function goToSibling(session: OpenSession, nodeId: string, step: -1 | 1): Promise<void> {
  const { tree } = session
  const place = tree.place(nodeId)
  const siblings = tree.siblingsOf(place)
  const next = siblings[siblings.indexOf(place) + step]
  if (next === undefined) return
  try {
    await session.setActiveLeaf(tree.ids[next]!, 'descend')
  } catch (error) {
    tellProblem(error)
  }
}

export async function setMuted(session: OpenSession, nodeIds: readonly string[], isMuted: boolean): Promise<void> {
  try {
    await session.setEnabled(nodeIds, !isMuted)
  } catch (error) {
    tellProblem(error)
  }
}

/** Stops whatever is at work for these nodes; what has come is kept. */
export async function stopAnswers(session: OpenSession, nodeIds: ReadonlySet<string>): Promise<void> {
  const params = { sessionId: session.id }
  try {
    const running = await session.connection.call(routes.getGenerations, { params })
    const ours = running.filter(({ nodeId }) => nodeIds.has(nodeId))
    await Promise.all(
      ours.map(({ generationId }) =>
        session.connection.call(routes.cancelGeneration, { params: { ...params, generationId }, body: {} }),
      ),
    )
    if (ours.length === 0) tell(t('Nothing is being written here any more.'))
  } catch (error) {
    tellProblem(error)
  }
}
