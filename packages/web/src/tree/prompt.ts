import { createStore } from '../state/store.ts'

/** A question that is answered with a line of text. */
export interface Prompt {
  readonly title: string
  readonly text: string
  readonly hint?: string
  readonly answer: (text: string | undefined) => void
}

export const prompt = createStore<Prompt | undefined>(undefined)

/** `undefined` when whoever was asked went away. */
export function askForText(question: Omit<Prompt, 'answer'>): Promise<string | undefined> {
  prompt.get()?.answer(undefined)
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  prompt.set({
    ...question,
    answer: (text) => {
      prompt.set(undefined)
      resolve(text)
    },
  })
  return promise
}
