// Run by the tests of the spend guard: notes a number of calls as a process of its own, when it is told to.
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import type { Session } from '@treeline/store'
import { systemClock } from '../clock.ts'
import { createSpendGuard } from '../turn/create-spend-guard.ts'

const [spendDir, count] = process.argv.slice(2) as [string, string]
const spend = createSpendGuard({ settings: {}, spendDir, clock: systemClock })
const cost = { input: 0.5, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.5 }
const session = { id: `of-${process.pid}` } as Session
writeSync(1, 'ready\n')
await once(process.stdin, 'data')
for (let i = 0; i < Number(count); i++) {
  await spend.note(session, { input: 1, output: 0, cacheRead: 0, cacheWrite: 0, cost })
}
