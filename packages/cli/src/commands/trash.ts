import { existsSync } from 'node:fs'
import { TreelineError } from '@treeline/core'
import { type TrashedSession, trashSession } from '@treeline/store'
import { defineCommand } from '../args/command.ts'
import { createAttempts } from '../house/attempts.ts'
import { bytesText } from '../output/amount.ts'
import { shortId } from '../output/short-id.ts'
import { paint } from '../output/style.ts'
import { findTarget } from '../target.ts'

export const command = defineCommand({
  positionals: [
    { name: 'FILE', help: 'the sessions to remove: paths, ids, or parts of ids', rest: true, completes: 'session' },
  ],
  options: { force: { type: 'boolean', help: 'also pinned sessions' } },
  details:
    'Nothing is deleted: `treeline restore` brings a session back until `treeline purge` empties the trash. Open ' +
    'sessions stay. Files of other tools are not moved.',
  examples: [['treeline trash 4f2a91c0', 'move a session to the trash']],
  json: '{"trashed":[{"trashId","sessionId","path","sizeBytes","leftBehind"}],"failed":[{"name","code","message"}]}',
  async run({ args, options, context }) {
    const home = await context.home()
    const trashed: TrashedSession[] = []
    const attempts = createAttempts(context)
    for (const name of args) {
      await attempts.attempt(name, async () => {
        const path = await findTarget(context, name)
        // Before it is said of a file that is not there whose it is.
        if (!existsSync(path)) throw new TreelineError('session_not_found', `There is no file ${path}.`)
        const done = await trashSession(home, path, { force: options.force })
        trashed.push(done)
        const { trashId, sessionId, sizeBytes, leftBehind } = done
        context.out.print(
          `${paint('good', 'In the trash')}: ${paint('id', shortId(sessionId))}, ${bytesText(sizeBytes)}. ` +
            `Bring it back: treeline restore ${shortId(trashId)}`,
        )
        for (const left of leftBehind) context.out.note(paint('warn', `Not moved along: ${left}`))
      })
    }
    context.out.json({ trashed, failed: attempts.failed })
    return attempts.exitCode
  },
})
