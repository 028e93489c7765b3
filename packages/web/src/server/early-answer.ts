let asked: { readonly url: string; readonly answer: Promise<Response> } | undefined

/** Asks for a tree as `connect` will. To be imported by what runs first, so it needs nothing: not the table of routes either. */
export function askEarlyForTree(sessionId: string): void {
  const url = new URL(`/api/chat/${encodeURIComponent(sessionId)}/tree?view=columns`, location.origin).href
  const answer = fetch(url, { headers: { 'x-treeline': '1' } })
  // Whoever takes it hears of a failure and asks again; if nobody does, nobody misses it.
  answer.catch(() => {})
  asked = { url, answer }
}

/** `fetch`, which for what was asked for early gives that answer, once. */
export const fetchOrTakeEarly: typeof fetch = (input, init) => {
  if (asked === undefined || String(input) !== asked.url) return fetch(input, init)
  const { answer } = asked
  asked = undefined
  return answer
}
