import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('durations are counted in every bucket they fit in, by label', () => {
  const metrics = createMetrics()
  for (const seconds of [0.0005, 0.02, 0.02, 60]) metrics.observe('work_seconds', seconds, { route: 'a' })
  metrics.observe('work_seconds', 0.001, { route: 'b' })
  const lines = metrics.render().split('\n')
  expect(lines.filter((line) => line.startsWith('#'))).toEqual(['# TYPE work_seconds histogram'])
  const ofA = lines.filter((line) => line.includes('route="a"')).map((line) => line.split(' '))
  expect(ofA.map(([name]) => name)).toContain('work_seconds_bucket{route="a",le="+Inf"}')
  expect(ofA.map(([, value]) => Number(value))).toEqual([1, 1, 1, 3, 3, 3, 3, 3, 3, 4, 60.0405, 4])
  expect(lines).toContain('work_seconds_bucket{route="b",le="0.001"} 1')
})

test('what is counted adds up, and a gauge is asked when somebody looks', () => {
  const metrics = createMetrics()
  let open = 1
  metrics.gauge('open', () => open)
  metrics.count('asked', { route: 'a', status: 200 })
  metrics.count('asked', { route: 'a', status: 200 }, 2)
  metrics.count('plain')
  open = 7
  expect(metrics.render()).toBe(
    [
      '# TYPE asked_total counter',
      'asked_total{route="a",status="200"} 3',
      '# TYPE plain_total counter',
      'plain_total 1',
      '# TYPE open gauge',
      'open 7',
      '',
    ].join('\n'),
  )
})
