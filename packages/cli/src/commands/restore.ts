import { listTrash, type RestoredItem, restoreFromTrash } from '@treeline/store'
import { defineCommand } from '../args/command.ts'
import type { Context } from '../context.ts'
import { createAttempts } from '../house/attempts.ts'
import { findTrashItem } from '../house/find-trash-item.ts'
import { trashJson, trashTable } from '../house/trash-table.ts'
import { counted } from '../output/amount.ts'
import { shellWord } from '../output/shell-word.ts'
import { shortId } from '../output/short-id.ts'
import { paint } from '../output/style.ts'

export const command = defineCommand({
  positionals: [
    {
      name: 'TRASHID',
      help: 'what to bring back: the id it has in the trash, its session id, or a part; without any, the trash is listed',
      optional: true,
      rest: true,
      completes: 'none',
    },
  ],
  options: {
    renamed: { type: 'boolean', help: 'when its place is taken, bring it back under another name' },
  },
  examples: [
    ['treeline restore', 'what is in the trash'],
    ['treeline restore 4f2a91c0', 'bring a session back to where it was'],
  ],
  json:
    '{"items":[{"trashId","kind","sessionId","trashedAt","reason","sizeBytes","files"}]}; with TRASHID ' +
    '{"restored":[{"trashId","paths","left"}],"failed":[{"name","code","message"}]}',
  async run({ args, options, context }) {
    if (args.length === 0) return showTrash(context)
    const home = await context.home()
    const restored: RestoredItem[] = []
    const attempts = createAttempts(context)
    for (const name of args) {
      await attempts.attempt(name, async () => {
        const { trashId } = findTrashItem(await listTrash(home), name)
        const progress = context.progress('Restoring')
        const done = await restoreFromTrash(home, trashId, {
          renamed: options.renamed,
          signal: context.signal,
          onProgress: ({ done, total }) => progress.update(done, total),
        }).finally(() => progress.end())
        restored.push(done)
        context.out.print(`${paint('good', 'Brought back')}: ${counted(done.paths.length, 'file')}`)
        for (const path of done.paths.filter((path) => home.paths.isSessionFile(path))) context.out.print(`  ${path}`)
        for (const left of done.left) context.out.note(paint('warn', `Stays in the trash, its place is taken: ${left}`))
      })
    }
    context.out.json({ restored, failed: attempts.failed })
    return attempts.exitCode
  },
})

async function showTrash(context: Context): Promise<number> {
  const items = await listTrash(await context.home())
  context.out.json({ items: items.map(trashJson) })
  if (items.length === 0) {
    context.out.print('The trash is empty. `treeline trash FILE` moves a session there.')
    return 0
  }
  for (const line of trashTable(items, context.out.columns)) context.out.print(line)
  context.out.print()
  const [first] = items
  const one = shellWord(shortId(first!.trashId))
  context.out.print(paint('faint', `Bring one back: treeline restore ${one}    Remove for good: treeline purge`))
  return 0
}
