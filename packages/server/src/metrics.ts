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

const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

export function createMetrics(): Metrics {
  const counters = new Map<string, Map<string, number>>()
  const gauges = new Map<string, () => number>()

  function add(name: string, labels: string, amount: number): void {
    const series = counters.get(name) ?? new Map<string, number>()
    counters.set(name, series)
    series.set(labels, (series.get(labels) ?? 0) + amount)
  }

  return {
    count: (name, labels = {}, amount = 1) => add(`${name}_total`, format(labels), amount),
    observe(name, seconds, labels = {}) {
      for (const le of BUCKETS) add(`${name}_bucket`, format({ ...labels, le }), seconds <= le ? 1 : 0)
      add(`${name}_bucket`, format({ ...labels, le: '+Inf' }), 1)
      add(`${name}_sum`, format(labels), seconds)
      add(`${name}_count`, format(labels), 1)
    },
    gauge: (name, read) => void gauges.set(name, read),
    render() {
      const lines = [...counters].flatMap(([name, series]) => [
        ...(name.endsWith('_total') ? [`# TYPE ${name} counter`] : []),
        ...(name.endsWith('_bucket') ? [`# TYPE ${name.slice(0, -'_bucket'.length)} histogram`] : []),
        ...[...series].map(([labels, value]) => `${name}${labels} ${value}`),
      ])
      for (const [name, read] of gauges) lines.push(`# TYPE ${name} gauge`, `${name} ${read()}`)
      return `${lines.join('\n')}\n`
    },
  }
}

function format(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}
