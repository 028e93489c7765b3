/** Does the work for each, a few at a time: syncing several files at once costs little more than one. Ends at the first error. */
export async function eachOf<T>(items: Iterable<T>, work: (item: T) => Promise<void>, width = 4): Promise<void> {
  const rest = items[Symbol.iterator]()
  let hasFailed = false
  const lane = async (): Promise<void> => {
    for (let next = rest.next(); !next.done && !hasFailed; next = rest.next()) {
      try {
        await work(next.value)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: width }, lane))
  for (const one of lanes) if (one.status === 'rejected') throw one.reason
}
