import type { Facts } from './job.ts'

const NS_PER_MS = 1e6

/** Of this process, which is the server, without garbage. */
export function startRss(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage.rss()
}

/** Latencies are sorted, in nanoseconds. */
export function fanoutFacts(latencies: Float64Array, startBytes: number): Facts {
  const endBytes = startRss()
  return {
    delivered: latencies.length,
    medianMs: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    maxMs: quantile(latencies, 1),
    startMb: startBytes / 1e6,
    endMb: endBytes / 1e6,
  }
}

function quantile(sorted: Float64Array, q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * q))]! / NS_PER_MS
}
