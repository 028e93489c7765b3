import { shortId } from '../../output/short-id.ts'
import { beginWith, splitBegun } from './begin-with.ts'
import type { SlashCommand } from './slash-command.ts'

const MAX_LISTED = 20

/** The latest sessions of this project, as far as they are known already: nothing is read for a menu. */
export const completeSessions: NonNullable<SlashCommand['complete']> = async ({ context, cwd, session }, typed) => {
  const begun = splitBegun(typed)
  if (begun.words.length > 0) return []
  const { sessions } = await (await context.index()).list({ cwd, limit: MAX_LISTED })
  const ids = sessions.flatMap(({ id }) => (id === undefined || id === session.id ? [] : [id]))
  return beginWith(
    begun,
    ids.map((id) => (begun.word !== '' && id.startsWith(begun.word) ? id : shortId(id))),
  )
}
