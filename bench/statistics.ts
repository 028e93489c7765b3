import type { Sample } from './child/job.ts'

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >>> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

type Measurements = readonly (readonly Sample[])[]

/** Of measurements with one process each. */
export function medianMs(measurements: Measurements): number {
  return median(measurements.map(([sample]) => sample!.ms))
}

/** Entries a second, all processes together, from the first one's start to the last one's end. */
export function medianRate(measurements: Measurements, countPerProcess: number): number {
  return median(
    measurements.map((samples) => {
      const start = Math.min(...samples.map(({ startedAtMs }) => startedAtMs))
      const end = Math.max(...samples.map(({ endedAtMs }) => endedAtMs))
      return (countPerProcess * samples.length * 1_000) / (end - start)
    }),
  )
}

/** Of a fact that is a number, of measurements with one process each. */
export function medianFact(measurements: Measurements, name: string): number {
  return median(measurements.map(([sample]) => Number(sample!.facts[name])))
}

export function medianMemoryMb(measurements: Measurements): number {
  return median(measurements.map(([sample]) => sample!.rssAddedBytes! / 1e6))
}

export function medianPeakMb(measurements: Measurements): number {
  return Number(median(measurements.map(([sample]) => sample!.peakAddedBytes! / 1e6)).toFixed(1))
}

/** For people: how long it took, the extremes beside it, and what else was measured. */
export function formatTheirs(measurements: Measurements): string {
  const times = measurements.map(([sample]) => sample!.ms).sort((a, b) => a - b)
  const span = `median ${medianMs(measurements).toFixed(1)} ms of ${times.length} (${times[0]!.toFixed(1)}–${times.at(-1)!.toFixed(1)})`
  const sample = measurements[0]![0]!
  const memory =
    sample.rssAddedBytes === undefined
      ? ''
      : `  +${medianMemoryMb(measurements).toFixed(1)} MB, peak +${medianPeakMb(measurements)} MB`
  const { appended } = sample.facts
  const rate = appended === undefined ? '' : `  ${Math.round(medianRate(measurements, Number(appended)))} entries/s`
  return span + memory + rate
}
