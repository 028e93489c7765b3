/** For everything that may take long. */
export interface Work {
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Stops between two steps; what was done stays done. */
  readonly signal?: AbortSignal | undefined
}

export interface Progress {
  readonly done: number
  readonly total: number
}
