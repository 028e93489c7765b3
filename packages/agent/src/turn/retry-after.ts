type Headers = Readonly<Record<string, string | undefined>>

/** When a provider wants to be asked again, from its headers or else its words. */
export function readRetryAfter(headers: Headers, text: string, nowMs: number): number | undefined {
  return fromHeaders(headers, nowMs) ?? fromText(text)
}

function fromHeaders(headers: Headers, nowMs: number): number | undefined {
  const ms = readNumber(headers['retry-after-ms'])
  if (ms !== undefined) return Math.ceil(ms)
  const said = headers['retry-after']
  const seconds = readNumber(said)
  if (seconds !== undefined) return Math.ceil(seconds * 1000)
  // A date of HTTP begins with its day; `Date.parse` alone takes much for a date that is none.
  const at = said !== undefined && /^[A-Z][a-z]{2,8},? /.test(said) ? Date.parse(said) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}

/** Google: `"retryDelay": "34.5s"`. OpenAI and Groq: `try again in 1m2.5s`, `20ms`. */
function fromText(text: string): number | undefined {
  const said =
    /"retryDelay":\s*"([\d.]+s)"/.exec(text) ?? /(?:try again|retry) in ((?:[\d.]+(?:ms|h|m|s))+)/i.exec(text)
  if (said?.[1] === undefined) return undefined
  let ms = 0
  for (const [, amount, unit] of said[1].matchAll(/([\d.]+)(ms|h|m|s)/g)) ms += Number(amount) * msOf(unit)
  return Number.isFinite(ms) ? Math.ceil(ms) : undefined
}

function msOf(unit: string | undefined): number {
  return unit === 'ms' ? 1 : unit === 's' ? 1_000 : unit === 'm' ? 60_000 : 3_600_000
}

function readNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}
