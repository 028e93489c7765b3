const START = '\u001b[200~'
const END = '\u001b[201~'
const CTRL_C = '\u0003'
/** More than a prompt may have. The rest of a paste is read and dropped. */
const MAX_CHARS = 100_000_000

/** What is read from: as Ink does it, text piece by piece. */
interface Pieces {
  read(size?: number): unknown
}

/**
 * Hands a paste on in one piece. Ink looks through all that came of it again with every further piece, which takes minutes
 * for some megabytes, and no key gets through in the meantime.
 */
export function gatherPastes(stdin: Pieces): void {
  const read = stdin.read.bind(stdin)
  let gathered: Gathered | undefined
  stdin.read = (size) => {
    for (;;) {
      const piece = read(size)
      if (typeof piece !== 'string') return piece
      if (gathered === undefined) {
        const at = piece.lastIndexOf(START)
        if (at < 0 || piece.includes(END, at)) return piece
        gathered = { pieces: [piece], chars: piece.length, tail: piece.slice(1 - END.length) }
        continue
      }
      const whole = add(gathered, piece)
      if (whole === undefined) continue
      gathered = undefined
      return whole
    }
  }
}

interface Gathered {
  readonly pieces: string[]
  chars: number
  /** Where the mark at the end may have begun. */
  tail: string
}

/** Gives all of it when that was the end. A terminal that never says so must not swallow every key: Ctrl+C says it, too. */
function add(gathered: Gathered, piece: string): string | undefined {
  const { pieces, tail } = gathered
  if (piece === CTRL_C) return `${pieces.join('')}${END}`
  const seam = tail + piece
  const isEnd = seam.includes(END)
  gathered.tail = seam.slice(1 - END.length)
  if (gathered.chars <= MAX_CHARS) {
    gathered.chars += piece.length
    pieces.push(piece)
  } else if (isEnd) pieces.push(seam.slice(seam.indexOf(END)))
  return isEnd ? pieces.join('') : undefined
}
