import { preview, TreelineError } from '@treeline/core'
import { defineCommand } from '../args/command.ts'
import { CHANGE_JSON, changeSession, inPlaceOption } from '../editing/change-session.ts'
import { paint } from '../output/style.ts'

export const command = defineCommand({
  positionals: [
    { name: 'FILE', help: 'the session: a path, an id, or a part of one', completes: 'session' },
    { name: 'NAME', help: 'what it is to be called', optional: true, completes: 'none' },
  ],
  options: { clear: { type: 'boolean', help: 'take the name away' }, ...inPlaceOption },
  examples: [
    ["treeline rename 4f2a91c0 'Parser rewrite'", 'name a session'],
    ['treeline rename 4f2a91c0 --clear', 'show it by its first prompt again'],
  ],
  json: `${CHANGE_JSON}; also "name"`,
  async run({ args: [file, text], options, context }) {
    const name = options.clear ? null : (text?.trim() ?? '')
    if (name === '') throw new TreelineError('bad_request', 'NAME is missing. Give one, or --clear to take it away.')
    if (name === null && text !== undefined) throw new TreelineError('bad_request', 'Give NAME or --clear, not both.')
    return changeSession(context, { file, inPlace: options['in-place'] }, (session) => ({
      isAside: true,
      isSo: (session.name ?? null) === name,
      perform: () => session.edit({ operations: [{ op: 'name', name }] }),
      already: name === null ? 'The session has no name.' : 'The session is called that already.',
      *tell() {
        yield name === null
          ? `${paint('good', 'Took the name away')}.`
          : `${paint('good', 'Renamed')}: ${preview(name, 200)}`
      },
      json: { name },
    }))
  },
})
