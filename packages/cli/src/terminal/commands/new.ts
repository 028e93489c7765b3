import { t } from '../../output/language.ts'
import { shortId } from '../../output/short-id.ts'
import { isKept } from './is-kept.ts'
import type { SlashCommand } from './slash-command.ts'

export const newCommand: SlashCommand = {
  name: 'new',
  help: () => t('begin a new session'),
  async run(actions) {
    const { context, cwd, session } = actions
    if (!isKept(session)) {
      await session.resetLeaf()
      await actions.reload()
      return actions.show(t('A new beginning. As before, nothing is kept.'))
    }
    if (session.leafId === null && session.tree.rowCount === 0)
      return actions.show(t('This one is new: nothing was said in it yet.'))
    const store = await context.store()
    await actions.switchTo(await store.create({ cwd }))
    actions.show(t('A new session. The one before: /resume {id}', { id: shortId(session.id) }))
  },
}
