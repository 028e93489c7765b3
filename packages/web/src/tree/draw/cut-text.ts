const cut = new Map<string, string>()
const MAX_KEPT = 5_000
const WIDE = /[\u1100-\u115f\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/

/**
 * As much of a text as has room, by the usual width of characters: to measure each text in every picture would cost more
 * than drawing it. The last line ends with dots when something is left out.
 */
export function cutText(text: string, width: number, fontSize: number, isLast = true): string {
  const room = Math.floor((width / fontSize) * 20)
  const key = `${room}${isLast ? '!' : ' '}${text}`
  const known = cut.get(key)
  if (known !== undefined) return known
  if (cut.size > MAX_KEPT) cut.clear()
  const made = cutTo(text, room / 20, isLast)
  cut.set(key, made)
  return made
}

/** `room` in ems. */
function cutTo(text: string, room: number, isLast: boolean): string {
  let used = 0
  let end = 0
  let before = 0
  let space = -1
  for (const character of text) {
    used += WIDE.test(character) ? 1 : /[A-Zmw@%]/.test(character) ? 0.78 : 0.56
    if (used > room) {
      if (isLast) return `${text.slice(0, before)}…`
      return space > 0 ? text.slice(0, space + 1) : text.slice(0, end)
    }
    if (character === ' ') space = end
    before = end
    end += character.length
  }
  return text
}
