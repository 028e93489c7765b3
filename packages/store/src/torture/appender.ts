// Run by the kill and race tests as a process of its own: appends as it is told on stdin, one order per line, and says on
// stdout what it is about to do and what was acknowledged. Written at once, so that nothing said is lost by a kill.
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { TreelineError } from '@treeline/core'
import { openFileStore } from '../file-store.ts'
import type { Session } from '../session/session.ts'
import type { Order } from './order.ts'
import { draftOf } from './order.ts'

const MAX_TRIES = 20

function say(text: string): void {
  writeSync(1, `${text}\n`)
}

async function append(session: Session, ids: readonly string[], order: Order): Promise<void> {
  for (const id of ids) say(`+${id} ${process.hrtime.bigint()}`)
  const drafts = ids.map((id) => draftOf(id, order.sizes))
  for (let tries = 1; ; tries++) {
    try {
      if (order.how === 'together') await session.appendAll(drafts)
      else await Promise.all(drafts.map((draft) => session.append(draft)))
      break
    } catch (error) {
      if (!(error instanceof TreelineError) || tries === MAX_TRIES) throw error
      say(`?${error.code}`)
    }
  }
  for (const id of ids) say(`=${id}`)
}

async function carryOut(order: Order): Promise<void> {
  await using store = await openFileStore({ home: order.home })
  await using session = await store.open(order.sessionId)
  for (let n = 0; n < order.count; ) {
    const length = order.how === 'singly' ? 1 : 1 + (n % 5)
    const ids = Array.from({ length }, (_, i) => `${order.name}${(n + i).toString(16).padStart(4, '0')}`)
    await append(session, ids, order)
    n += length
  }
  await session.refresh()
  const { tree } = session
  say(`#${Array.from({ length: tree.rowCount }, (_, row) => tree.ids.textOf(tree.refAtRow(row))).join(' ')}`)
}

say('ready')
for await (const line of createInterface({ input: process.stdin })) {
  try {
    await carryOut(JSON.parse(line) as Order)
  } catch (error) {
    say(`!${error instanceof Error ? `${error.message} ${error.stack}`.replaceAll('\n', ' ') : String(error)}`)
  }
  say('done')
}
