import { decodeLog, plainText, preview } from '@treeline/core'
import { chop, INNER, wrap } from './layout.ts'
import type { Paint } from './paint.ts'
import { TourSession } from './session.ts'

/** What a step can show of the session, as lines. All of it is looked up when asked for. */
export function createViews(session: TourSession, paint: Paint) {
  return {
    tree: () => session.draw(INNER).map((line) => paintNode(line, paint)),
    line: () => showLine(session, paint),
    stash: () => session.stash().map(({ id, nodeCount }) => `in the stash: ${quote(session, id)} (${nodeCount} nodes)`),
    /** The last line of the log exactly as it was appended, its checksum on a row of its own. */
    lastRecord: () => showRecord(session.lines().at(-1)!, paint),
    lastUndo: () => describeUndo(session.lines()),
    log: () => [...describeLog(session, paint)],
    touched: () => describeTouched(session.bytes),
  }
}

function paintNode(line: string, paint: Paint): string {
  return line.includes('(muted)') ? paint('faint', line) : line.replace('●', paint('trunk', '●'))
}

function quote(session: TourSession, nodeId: string): string {
  return `“${preview(session.describe(nodeId).text, 40)}”`
}

function showLine(session: TourSession, paint: Paint): string[] {
  const { nodes, messages } = session.line()
  const rows = nodes.map((node) => {
    const { role, text } = session.describe(node.nodeId)
    const verdict = node.in ? 'in' : `out: ${node.reason}`
    const row = `${verdict.padEnd(11)} ${preview(role, 10).padEnd(10)} ${preview(text, INNER - 23)}`
    return node.in ? row : paint('out', row)
  })
  return [...rows, '', ...wrap(`Sent: ${messages.length} messages (${messages.map(({ role }) => role).join(', ')}).`)]
}

function showRecord(record: string, paint: Paint): string[] {
  const text = plainText(record)
  const crcStart = text.lastIndexOf(',"crc"')
  return [...chop(text.slice(0, crcStart)), paint('strong', text.slice(crcStart))]
}

function describeUndo(lines: readonly string[]): string {
  const entries = lines.map(
    (line) => JSON.parse(line) as { readonly id: string; readonly data?: { readonly undoes?: string } },
  )
  const undone = entries.findIndex(({ id }) => id === entries.at(-1)?.data?.undoes)
  return `Line ${lines.length} of the log undoes line ${undone + 1}`
}

function* describeLog(session: TourSession, paint: Paint): Generator<string> {
  const { header, records, skipped } = decodeLog(session.bytes)
  const all = header === undefined ? records : [header, ...records]
  const counts = new Map<string, number>()
  for (const { value } of all) {
    const type = plainText(String(value.customType ?? value.type))
    counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  const good = all.filter(({ crc }) => crc === 'ok').length
  const isSame = new TourSession(session.bytes).draw(INNER).join() === session.draw(INNER).join()
  for (const [type, count] of counts) yield `${String(count).padStart(4)}  ${type}`
  yield paint(
    'strong',
    `${String(all.length).padStart(4)}  lines, ${session.bytes.length} bytes, ${skipped.length} damaged`,
  )
  yield `${String(good).padStart(4)}  checksums hold`
  yield `${isSame ? ' yes' : '  no'}  the same tree comes out`
}

/** What a reader finds after somebody has changed one word in the file. */
function describeTouched(bytes: Uint8Array): string {
  const touched = new TextDecoder().decode(bytes).replace('gulls', 'seals')
  const { notes } = decodeLog(new TextEncoder().encode(touched))
  return notes.map(({ code, line }) => `line ${line}: ${code}`).join(', ')
}
