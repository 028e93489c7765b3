import { TreelineError } from '@treeline/core'
import { counted } from '../../output/amount.ts'
import { shortId } from '../../output/short-id.ts'
import { isKept } from './is-kept.ts'
import type { SlashCommand } from './slash-command.ts'
import { lastNode } from './trunk-nodes.ts'

export const forkCommand: SlashCommand = {
  name: 'fork',
  help: 'go on in a new session with a copy of this branch',
  async run(actions) {
    const { context, cwd, session } = actions
    if (!isKept(session)) {
      throw new TreelineError('bad_request', 'This chat keeps nothing (--no-session), and a fork would be kept.')
    }
    lastNode(session)
    const leftOut: string[] = []
    const store = await context.store()
    const onLeftOut = ({ message }: TreelineError) => leftOut.push(message)
    const fork = await store.fork(session, { cwd, nodeId: session.leafId, onLeftOut })
    await actions.switchTo(fork)
    for (const message of leftOut) actions.warn(message)
    const what = `Forked: ${shortId(fork.id)} with ${counted(fork.tree.rowCount, 'entry', 'entries')}`
    actions.show(`${what}. The one before: /resume ${shortId(session.id)}`)
  },
}
