import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as core from './index.ts'

const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8')

test('the program in the README runs as printed', () => {
  const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
  const body = program.replace(/import \{(.*)\} from '@treeline\/core'/, 'const {$1} = core')
  const header = { type: 'session', version: 3, id: 's', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/' } as const
  const message = { role: 'user', content: 'Hello' }
  const entry = { type: 'message', id: 'a1b2c3d4', parentId: null, timestamp: header.timestamp, message }
  const bytes = Buffer.concat([core.encodeHeader(header), core.encodeLine(entry)])
  const run = new Function('core', 'bytes', `${body}\nreturn { messages, nodes, plan }`)
  const { messages, nodes, plan } = run(core, bytes) as {
    messages: readonly core.LineMessage[]
    nodes: readonly core.LineNode[]
    plan: core.EditPlan
  }
  expect(messages).toMatchObject([{ role: 'user', content: [{ text: 'Hello' }] }])
  expect(nodes).toEqual([{ nodeId: 'a1b2c3d4', in: true }])
  expect(plan.entry).toMatchObject({ customType: 'treeline/edit', parentId: 'a1b2c3d4' })
})
