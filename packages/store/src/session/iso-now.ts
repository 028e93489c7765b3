let isoMs = Number.NaN
let isoText = ''

/** Many entries are made in one millisecond, and spelling it out costs more than asking for it. */
export function isoNow(): string {
  const ms = Date.now()
  if (ms !== isoMs) {
    isoMs = ms
    isoText = new Date(ms).toISOString()
  }
  return isoText
}
