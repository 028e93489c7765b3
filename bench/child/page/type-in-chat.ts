import { setTimeout as pass } from 'node:timers/promises'
import type { Page } from 'playwright-core'

/** A quick typist's. */
const BETWEEN_KEYS_MS = 50
const WARM_KEYS = 10
const KEYS = 40
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/**
 * Begins a session with a short answer and, below it, so many that take a minute: the first on the trunk, the others on
 * branches beside it. Gives its id.
 */
export function begin(page: Page, streams: number): Promise<string> {
  return page.evaluate(async (count) => {
    const post = async (path: string, body: object) => {
      const headers = { 'x-treeline': '1', 'content-type': 'application/json' }
      const response = await fetch(`/api/chat${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      if (!response.ok) throw new Error(await response.text())
      return response.json()
    }
    const { sessionId } = await post('/sessions', { title: 'Typing' })
    const hello = { parentId: null, content: 'say 30 words', generate: [{}] }
    const { generations } = await post(`/${sessionId}/message`, hello)
    const parentId = generations[0].node.id
    const isWritten = async () => (await (await fetch(`/api/chat/${sessionId}/generations`)).json()).length === 0
    while (!(await isWritten())) await new Promise((done) => setTimeout(done, 100))
    for (let i = 0; i < count; i++) {
      const long = { parentId, content: 'say 5000 words', generate: [{}], activate: i === 0 ? 'always' : 'never' }
      await post(`/${sessionId}/message`, long)
    }
    return sessionId
  }, streams)
}

/** Types, and gives for each letter how long it took from the key to the frame that shows it. */
export async function typeLetters(page: Page): Promise<readonly number[]> {
  const box = page.getByRole('textbox', { name: 'Message', exact: true })
  await box.focus()
  await page.evaluate(() => {
    const times: number[] = []
    Object.assign(globalThis, { times })
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        // What is posted in a frame runs when the frame has been made.
        requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - timeStamp)))
      },
      { capture: true },
    )
  })
  let typed = ''
  for (let i = 0; i < WARM_KEYS + KEYS; i++) {
    await pass(BETWEEN_KEYS_MS)
    const letter = LETTERS[i % LETTERS.length]!
    typed += letter
    await page.keyboard.press(letter)
  }
  await page.waitForFunction(
    (count) => (globalThis as unknown as { times: number[] }).times.length === count,
    WARM_KEYS + KEYS,
  )
  const shown = await box.inputValue()
  if (shown !== typed) throw new Error(`Typed ${typed}, and the page has ${shown}.`)
  return (await page.evaluate(() => (globalThis as unknown as { times: number[] }).times)).slice(WARM_KEYS)
}
