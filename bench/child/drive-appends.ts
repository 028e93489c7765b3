import type { AppendOptions } from './job.ts'

/** Appends `count` times with so many in flight, and gives how long each took, sorted. */
export async function driveAppends(
  append: (index: number) => Promise<unknown>,
  { count, inFlight }: AppendOptions,
): Promise<Float64Array> {
  const tookMs = new Float64Array(count)
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) {
      const index = next++
      const start = performance.now()
      await append(index)
      tookMs[index] = performance.now() - start
    }
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  return tookMs.sort()
}

export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
