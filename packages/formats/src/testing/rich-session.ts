import type { Session, SessionStore } from '@treeline/store'
import type { WriteOptions, Writer } from '../format.ts'
import type { FormatNote } from '../note.ts'

/** The smallest PNG: one transparent pixel. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/** A conversation with one of everything: tools, thinking, images, branches, mutes, labels, a stash, a summary. */
export async function makeRichSession(store: SessionStore): Promise<Session> {
  const session = await store.create({ cwd: '/projects/harbour', title: 'Harbour lights' })
  const say = async (id: string, message: object, parentId?: string) => {
    const options = parentId === undefined ? {} : { parentId }
    await session.append({ type: 'message', id, message }, options)
  }
  const user = (text: string) => ({ role: 'user', content: text, timestamp: 1 })
  const assistant = (...content: readonly object[]) => ({
    role: 'assistant',
    content,
    model: 'demo-1',
    provider: 'demo',
    stopReason: 'stop',
    timestamp: 2,
  })
  const text = (value: string) => ({ type: 'text', text: value })
  await session.append({ type: 'model_change', model: 'demo/demo-1', provider: 'demo', modelId: 'demo-1' })
  await say('ask00001', user('Which lights are **on** in the harbour?'))
  await say(
    'look0001',
    assistant({ type: 'thinking', thinking: 'The list of lights is in a file.' }, text('I will look at the list.'), {
      type: 'toolCall',
      id: 'call-1',
      name: 'read',
      arguments: { path: 'lights.csv', limit: 20 },
    }),
  )
  await say('list0001', {
    role: 'toolResult',
    toolCallId: 'call-1',
    toolName: 'read',
    content: [
      text('name,on\nnorth,yes\nsouth,no\n```\nnot a fence of ours'),
      { type: 'image', mimeType: 'image/png', data: PIXEL },
    ],
    isError: false,
    timestamp: 3,
  })
  await say(
    'tell0001',
    assistant(text('Only the **north** light is on.\n\n- north: `on`\n- south: `off`\n\n```ts\nconst on = a < b\n```')),
  )
  await say('aside001', user('By the way, I like cheese.'))
  await say('cheese01', assistant(text('Noted: cheese.')))
  await say('switch01', user('Switch the south light on.'))
  await say('done0001', assistant(text('The south light is on now. See [the plan](https://example.com/plan).')))
  await say('other001', user('Switch the north light off instead.'), 'tell0001')
  await say('other002', assistant(text('The north light is off.')))
  await say('third001', user('Leave everything as it is.'), 'tell0001')
  await say('third002', assistant(text('Nothing was changed.')))
  await say('stash001', user('What about the buoys?'), 'other002')
  await say('stash002', assistant(text('There are four buoys.')))
  await session.edit({ operations: [{ op: 'prune', nodeId: 'stash001', include: 'self' }] })
  await session.branch('done0001')
  await session.edit({ operations: [{ op: 'mute', nodeIds: ['aside001', 'cheese01'] }] })
  await session.setLabel('tell0001', 'the answer')
  await session.rename('Harbour lights, autumn')
  return session
}

export interface Written {
  readonly text: string
  readonly notes: readonly FormatNote[]
}

/** A session as the whole file that a writer makes of it. */
export async function writeWhole(writer: Writer, session: Session, options: WriteOptions = {}): Promise<Written> {
  const pieces: string[] = []
  const sink = (text: string) => {
    pieces.push(text)
  }
  const notes = await writer.write(session, sink, options)
  return { text: pieces.join(''), notes }
}
