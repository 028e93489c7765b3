/** One of the answers to a question: pressed as a key, or chosen with the arrows. */
export interface Choice<T extends string = string> {
  readonly value: T
  /** One letter. */
  readonly key: string
  readonly label: string
}

export interface ChoiceQuestion<T extends string = string> {
  readonly title: string
  /** What it is about, if the title does not say it all. */
  readonly body?: string
  /** The first is chosen until another one is. */
  readonly choices: readonly Choice<T>[]
}

/** A question over the editor. Answered with `undefined` by Esc. */
export type Dialog =
  | {
      readonly type: 'choice'
      readonly question: ChoiceQuestion
      readonly answer: (value: string | undefined) => void
    }
  | {
      readonly type: 'line'
      readonly title: string
      readonly text: string
      readonly answer: (text: string | undefined) => void
    }
