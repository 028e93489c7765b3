import { decodeLog, plainText, preview } from '@treeline/core'
import { chop, INNER, wrap } from './layout.ts'
import type { Paint } from './paint.ts'
import { TourSession } from './session.ts'

export interface Step {
  readonly title: string
  readonly lines: readonly string[]
}

/** The tour, one step at a time. Each does something to the session and then shows what is really there. */
export function* tourSteps(paint: Paint): Generator<Step> {
  const session = new TourSession()
  const show = createViews(session, paint)

  session.say('user', 'Two days off. The mountains or the sea?')
  const choice = session.say('assistant', 'Both are two hours away by train. The sea is cheaper.')
  session.say('user', 'The sea, then. Where do we sleep?')
  const sea = session.say('assistant', 'In the hostel at the harbour, or in a tent behind the dunes.')
  yield {
    title: 'A conversation is a tree',
    lines: [
      ...wrap(
        'Four messages, each under the one it follows. So far it looks like any chat. The leaf is where the ' +
          'conversation goes on; the filled dots are the trunk, the path that leads there.',
      ),
      '',
      ...show.tree(),
      '',
      ...show.written('Four messages are four lines in a log, after one line for the session itself.'),
    ],
  }

  const hut = session.say('user', 'The mountains, then. Where do we sleep?', choice)
  session.say('assistant', 'In the hut by the lake. Twenty beds, so book today.', hut)
  const packing = session.say('user', 'What do we pack?')
  const packed = session.say('assistant', 'Rain jackets, a map and a deck of cards.')
  yield {
    title: 'A second try is a branch',
    lines: [
      ...wrap(
        'What if it were the mountains? Ask again, not at the end but under the first answer. The new question ' +
          'stands beside the old one. Nothing was overwritten: the first try is the branch on the side.',
      ),
      '',
      ...show.tree(),
      '',
      ...show.written('Four more messages, four more lines.'),
    ],
  }

  session.edit({ op: 'leaf', leafId: sea })
  yield {
    title: 'Switch branches by moving the leaf',
    lines: [
      ...wrap('Back to the sea. Moving the leaf is an edit, and an edit is one line in the log, like everything else.'),
      '',
      ...show.tree(),
      '',
      ...show.written('The trunk is straight wherever you are; the rest steps aside. One line was added:'),
      '',
      ...show.lastLine(),
    ],
  }

  const gulls = session.say('user', 'Do gulls bite?')
  const chips = session.say('assistant', 'Only if you have chips.')
  session.edit({ op: 'mute', nodeIds: [gulls, chips] })
  session.say('user', 'A tent, then. Is that allowed?')
  const allowed = session.say('assistant', 'For one night, yes. Leave no trace.')
  yield {
    title: 'Mute what the model need not see',
    lines: [
      ...wrap(
        'The gulls were a detour. Muting keeps both messages in the tree and takes them out of the line: what the ' +
          'model receives next. The line says of every node whether it is in, and if not, why.',
      ),
      '',
      ...show.line(),
      '',
      ...show.written('Muting two nodes is one edit, so it is one line: all of it happens, or none.'),
    ],
  }

  session.edit({ op: 'prune', nodeId: packing, include: 'self' })
  const stash = show.stash()
  session.edit({ op: 'graft', sourceId: packing, targetId: allowed }, { op: 'leaf', leafId: packed })
  yield {
    title: 'Prune to the stash, graft elsewhere',
    lines: [
      ...wrap('The packing list was good, but it hangs under the mountains. Prune it, and it waits in the stash:'),
      '',
      ...stash,
      '',
      ...wrap('Graft it where you need it, and go on from there:'),
      '',
      ...show.tree(),
    ],
  }

  session.undo()
  session.undo()
  yield {
    title: 'Undo',
    lines: [
      ...wrap(
        'On second thought, no. Undo takes back the graft, and once more, the prune. Every edit carries its ' +
          'inverse, so this works tomorrow and after a crash too. An undo is an edit itself, and can be undone.',
      ),
      '',
      ...show.tree(),
      '',
      ...show.written('The stash is empty again. What was muted stays muted. The last line says what it undoes:'),
      '',
      ...show.lastLine(),
    ],
  }

  yield { title: 'Every step was one line', lines: show.log() }
}

function createViews(session: TourSession, paint: Paint) {
  const tree = (): string[] => {
    return session.draw(INNER).map((line) => {
      return line.includes('(muted)') ? paint('faint', line) : line.replace('●', paint('trunk', '●'))
    })
  }

  const line = (): string[] => {
    const { nodes, messages } = session.line()
    const rows = nodes.map((node) => {
      const { role, text } = session.describe(node.nodeId)
      const verdict = node.in ? 'in ' : `out: ${node.reason}`
      const row = `${verdict.padEnd(12)}${role.padEnd(11)}${preview(text, INNER - 23)}`
      return node.in ? row : paint('out', row)
    })
    const sent = messages.map((message) => message.role)
    return [...rows, '', ...wrap(`The model receives ${sent.length} messages: ${sent.join(', ')}.`)]
  }

  const stash = (): string[] => {
    return session.stash().map(({ id, nodeCount }) => {
      const { role, text } = session.describe(id)
      return `stash: ${preview(`${role}: ${text}`, 40)} (${nodeCount} nodes)`
    })
  }

  const written = (text: string): string[] => {
    return wrap(`${text} Lines in the log: ${session.lines().length}.`).map((row) => paint('faint', row))
  }

  /** The line exactly as it was appended, its checksum on a row of its own. */
  const lastLine = (): string[] => showLine(session.lines().at(-1)!, paint)

  const log = (): string[] => [...describeLog(session, paint)]

  return { tree, line, stash, written, lastLine, log }
}

function showLine(raw: string, paint: Paint): string[] {
  const text = plainText(raw)
  const crcStart = text.lastIndexOf(',"crc"')
  return [...chop(text.slice(0, crcStart)), paint('strong', text.slice(crcStart))]
}

function* describeLog(session: TourSession, paint: Paint): Generator<string> {
  const { header, records, skipped } = decodeLog(session.bytes)
  const all = header === undefined ? records : [header, ...records]
  const good = all.filter(({ crc }) => crc === 'ok').length
  const counts = new Map<string, number>()
  for (const { value } of all) {
    const type = String(value['customType'] ?? value.type)
    counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  yield* wrap(
    'The log is the truth, and nothing in it was ever changed: each step only added to its end. Everything you ' +
      'have seen was made from these bytes. Here they are read again from the first to the last:',
  )
  yield ''
  for (const [type, count] of counts) yield `${String(count).padStart(4)}  ${plainText(type)}`
  yield paint('strong', `${String(all.length).padStart(4)}  lines, ${session.bytes.length} bytes, ${skipped.length} damaged`)
  yield ''
  const same = new TourSession(session.bytes).draw(INNER).join('\n') === session.draw(INNER).join('\n')
  yield* wrap(`Checksums that hold: ${good} of ${all.length}. The same tree comes out: ${same ? 'yes' : 'no'}.`)

  const touched = new TextEncoder().encode(new TextDecoder().decode(session.bytes).replace('gulls', 'seals'))
  const notes = decodeLog(touched).notes.map(({ code, line }) => `line ${line}: ${code}`)
  yield* wrap(`Let someone turn the gulls into seals behind your back, and a reader says: ${notes.join(', ')}.`)
}
