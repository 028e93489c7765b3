/** How a stretch of text looks. Colours are names that Ink knows. */
export interface TextStyle {
  readonly bold?: boolean
  readonly italic?: boolean
  readonly dim?: boolean
  readonly underline?: boolean
  readonly color?: string
}

export interface StyledRun extends TextStyle {
  readonly text: string
}

/** One row of the screen. Its text is plain (K4) and has no line feeds in it. */
export type StyledLine = readonly StyledRun[]
