/** Something about a file that a person should know: what was odd, and what could not be said in the other format. */
export interface FormatNote {
  /**
   * `damage`: bytes that hold nothing usable. `changed`: kept, but not exactly as it was. `left_out`: it is not in the
   * result. `info`: worth knowing.
   */
  readonly kind: 'damage' | 'changed' | 'left_out' | 'info'
  /** What, to which thing, and what becomes of it. */
  readonly message: string
  /** 1-based, in the file that was read. */
  readonly line?: number | undefined
  readonly offset?: number | undefined
  readonly length?: number | undefined
  /** The entry or node it is about. */
  readonly id?: string | undefined
}
