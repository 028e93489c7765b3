type Labels = Readonly<Record<string, string | number>>

/** Numbers for Prometheus, in its text format. Names and labels are ours, never a caller's. */
export interface Metrics {
  count(name: string, labels?: Labels, amount?: number): void
  /** A duration in seconds, into buckets. */
  observe(name: string, seconds: number, labels?: Labels): void
  /** Asked for when somebody looks. */
  gauge(name: string, read: () => number): void
  render(): string
}

/** Every request is observed, so the texts of its buckets are made when somebody looks. */
interface Histogram {
  readonly labels: Labels
  /** How many fell into each bucket and into none of those before it; the last is for what is longer than all. */
  readonly counts: number[]
  sum: number
}

const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

export function createMetrics(): Metrics {
  const counters = new Map<string, Map<string, number>>()
  const histograms = new Map<string, Map<string, Histogram>>()
  const gauges = new Map<string, () => number>()

  return {
    count(name, labels = {}, amount = 1) {
      const series = seriesOf(counters, `${name}_total`)
      const key = format(labels)
      series.set(key, (series.get(key) ?? 0) + amount)
    },
    observe(name, seconds, labels = {}) {
      const series = seriesOf(histograms, name)
      const key = format(labels)
      const histogram = series.get(key) ?? { labels, counts: BUCKETS.map(() => 0).concat(0), sum: 0 }
      series.set(key, histogram)
      const bucket = BUCKETS.findIndex((most) => seconds <= most)
      histogram.counts[bucket < 0 ? BUCKETS.length : bucket]!++
      histogram.sum += seconds
    },
    gauge: (name, read) => void gauges.set(name, read),
    render() {
      const lines: string[] = []
      for (const [name, series] of counters) {
        lines.push(`# TYPE ${name} counter`, ...[...series].map(([labels, value]) => `${name}${labels} ${value}`))
      }
      for (const [name, series] of histograms) {
        lines.push(`# TYPE ${name} histogram`, ...[...series.values()].flatMap((one) => linesOf(name, one)))
      }
      for (const [name, read] of gauges) lines.push(`# TYPE ${name} gauge`, `${name} ${read()}`)
      return `${lines.join('\n')}\n`
    },
  }
}

function seriesOf<T>(all: Map<string, Map<string, T>>, name: string): Map<string, T> {
  const series = all.get(name) ?? new Map<string, T>()
  all.set(name, series)
  return series
}

/** What is in a bucket is in every larger one. */
function linesOf(name: string, { labels, counts, sum }: Histogram): string[] {
  let count = 0
  const buckets = counts.map((own, i) => {
    count += own
    return `${name}_bucket${format({ ...labels, le: BUCKETS[i] ?? '+Inf' })} ${count}`
  })
  return [...buckets, `${name}_sum${format(labels)} ${sum}`, `${name}_count${format(labels)} ${count}`]
}

function format(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}
