/** What stands for a secret that a tool came across. */
const HIDDEN = '***'
/** Shorter ones are words that stand in any text. */
const MIN_CHARS = 12

/** Takes keys out of what a tool says before anything of it is kept or sent: `env` and `cat` print what they find. */
export function hideInText(text: string, secrets: readonly string[]): string {
  return usable(secrets).reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text)
}

export function hideInBytes(bytes: Buffer, secrets: readonly string[]): Buffer {
  const found = usable(secrets).filter((secret) => bytes.includes(secret))
  if (found.length === 0) return bytes
  const asBytes = (secret: string) => Buffer.from(secret).toString('latin1')
  // One byte to a character, so that what is no text comes through as it was.
  return Buffer.from(hideInText(bytes.toString('latin1'), found.map(asBytes)), 'latin1')
}

/** For plain data, as JSON has it. */
export function hideInValue<T>(value: T, secrets: readonly string[]): T {
  if (value === undefined || usable(secrets).length === 0) return value
  const text = JSON.stringify(value)
  const hidden = hideInText(text, secrets)
  return hidden === text ? value : JSON.parse(hidden)
}

/** The longest first: one may begin with another, whose end would be left. */
function usable(secrets: readonly string[]): readonly string[] {
  return secrets.filter(({ length }) => length >= MIN_CHARS).sort((a, b) => b.length - a.length)
}
