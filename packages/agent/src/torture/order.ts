/** What a `turn-process.ts` is to do. */
export interface TurnOrder {
  readonly home: string
  readonly sessionId: string
  /** Of the model server. */
  readonly url: string
  /** Where tools leave a line when they begin and when they are done. */
  readonly effects: string
  /** `siblings`: three answers beside each other, for which the trunk does not move. */
  readonly what: 'turns' | 'recover' | 'recover and turns' | 'siblings'
  /** One turn for each. */
  readonly prompts: readonly string[]
  /** `ask`: the question is told of and never answered. */
  readonly approval: 'yolo' | 'ask'
}
