import { shortId } from '../../output/short-id.ts'
import { isKept } from './is-kept.ts'
import type { SlashCommand } from './slash-command.ts'

export const newCommand: SlashCommand = {
  name: 'new',
  help: 'begin a new session',
  async run(actions) {
    const { context, cwd, session } = actions
    if (!isKept(session)) {
      await session.resetLeaf()
      await actions.reload()
      return actions.show('A new beginning. As before, nothing is kept.')
    }
    const store = await context.store()
    await actions.switchTo(await store.create({ cwd }))
    actions.show(`A new session. The one before: /resume ${shortId(session.id)}`)
  },
}
