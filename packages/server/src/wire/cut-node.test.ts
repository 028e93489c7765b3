import { nodeSchema } from '@treeline/protocol'
import { expect, test } from 'vitest'
import { cutNode } from './cut-node.ts'
import { nodeOf, openSample, user } from './testing/sample-session.ts'

test('a node that is too long keeps its beginning and its true length, and no character is split', async () => {
  await using sample = await openSample()
  await sample.session.append(
    user(
      [
        { type: 'text', text: 'ab👍cd' },
        { type: 'text', text: 'x' },
      ],
      'u1',
    ),
  )
  const node = await nodeOf(sample.session, 'u1')
  const cut = cutNode(node, 3)
  expect(nodeSchema.safeParse(cut)).toMatchObject({ success: true })
  expect(cut).toMatchObject({ content: 'ab', contentLength: 8, contentTruncated: true })
  expect(cut.parts).toBeUndefined()
  expect(cutNode(node, 4).content).toBe('ab👍')
  expect(cutNode(node, 1_000)).toBe(node)
})
