import { wrap } from './layout.ts'
import type { Paint } from './paint.ts'
import { TourSession } from './session.ts'
import { createViews } from './views.ts'

export interface Step {
  readonly title: string
  readonly lines: readonly string[]
  /** How long the log is after it. */
  readonly logLines: number
}

/** The tour. Each step does something to the session and then shows what is really there. */
export function* tourSteps(paint: Paint): Generator<Step> {
  const session = new TourSession()
  const show = createViews(session, paint)
  const step = (title: string, ...lines: readonly string[]): Step => {
    return { title, lines, logLines: session.lines().length }
  }

  session.say('user', 'Two days off. The mountains or the sea?')
  const choice = session.say('assistant', 'Both are two hours away by train. The sea is cheaper.')
  session.say('user', 'The sea, then. Where do we sleep?')
  const sea = session.say('assistant', 'In the harbour hostel, or in a tent in the dunes.')
  yield step(
    'A conversation is a tree',
    ...wrap(
      'Four messages, each under the one it follows. So far it looks like any chat. The leaf is where the ' +
        'conversation goes on, and the filled dots are the trunk: the path that leads there.',
    ),
    '',
    ...show.tree(),
    '',
    ...wrap('Each message is one line in a log, and the log only ever grows. Watch the count in the headings.'),
  )

  session.say('user', 'The mountains, then. Where do we sleep?', choice)
  session.say('assistant', 'In the hut by the lake. Twenty beds, so book today.')
  const packing = session.say('user', 'What do we pack?')
  const packed = session.say('assistant', 'Rain jackets, a map and a deck of cards.')
  yield step(
    'A second try is a branch',
    ...wrap('What if it were the mountains? Ask again, not at the end but under the first answer:'),
    '',
    ...show.tree(),
    '',
    ...wrap(
      'The new question stands beside the old one, and the trunk now runs through it. Nothing was overwritten: ' +
        'the first try is the branch on the side.',
    ),
  )

  session.edit({ op: 'leaf', leafId: sea })
  yield step(
    'Switch branches by moving the leaf',
    'Back to the sea:',
    '',
    ...show.tree(),
    '',
    ...wrap(
      'The trunk is straight wherever you are. Moving the leaf is an edit, and an edit is one line too, this one:',
    ),
    '',
    ...show.lastRecord(),
  )

  const gulls = session.say('user', 'Do gulls bite?')
  const chips = session.say('assistant', 'Only if you have chips.')
  session.edit({ op: 'mute', nodeIds: [gulls, chips] })
  session.say('user', 'A tent, then. Is that allowed?')
  const allowed = session.say('assistant', 'For one night, yes. Leave no trace.')
  yield step(
    'Mute what the model need not see',
    ...wrap(
      'The talk goes on, with a detour about gulls. Muting the detour keeps it in the tree and takes it out of the ' +
        'line: what the model receives. For every node the line says whether it is in, and if not, why.',
    ),
    '',
    ...show.line(),
    '',
    ...wrap('Two nodes, one edit, one line in the log: all of it happens, or none.'),
  )

  session.edit({ op: 'prune', nodeId: packing, include: 'self' })
  const stash = show.stash()
  session.edit({ op: 'graft', sourceId: packing, targetId: allowed }, { op: 'leaf', leafId: packed })
  yield step(
    'Prune to the stash, graft elsewhere',
    ...wrap('The packing list was good, but it hangs under the mountains. Prune it:'),
    '',
    ...stash,
    '',
    ...wrap('Then graft it where you need it, and go on from there:'),
    '',
    ...show.tree(),
  )

  session.undo()
  yield step(
    'Undo',
    ...wrap('On second thought, no. Undo takes the graft back, and the leaf with it:'),
    '',
    ...show.tree(),
    '',
    ...show.stash(),
    '',
    ...wrap(
      `${show.lastUndo()}. Every edit carries its inverse, so this works after a ` +
        'restart too. An undo is an edit as well, and can be undone.',
    ),
  )

  yield step(
    'One line at a time',
    ...wrap(
      'Every message and every edit was one line, added at the end. The log is the truth: all you have seen was made ' +
        'from its bytes. Here they are once more, read from the first to the last:',
    ),
    '',
    ...show.log(),
    '',
    ...wrap('Let someone turn the gulls into seals behind your back, and it shows:'),
    '',
    show.touched(),
  )
}
