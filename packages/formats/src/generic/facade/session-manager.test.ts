import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FlatEntry } from '@treeline/core'
import { expect, test } from 'vitest'
import { makeTempFolder } from '../../testing/temp-folder.ts'
import { loadSession, SessionManager, visualizeBranches } from './index.ts'

const linesOf = (path: string): readonly FlatEntry[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

test('P27 the demo of seed 004, with its imports mended, prints this (X11)', async () => {
  using folder = makeTempFolder()
  const printed: string[] = []
  const log = (message: string): void => void printed.push(message)
  const session = new SessionManager(join(folder.path, 'demo-session.jsonl'), { log })
  await session.load()
  log('\n=== Adding messages ===')
  await session.append('user', 'Hello, how are you?')
  await session.append('assistant', 'I am doing well, thank you!')
  await session.append('user', 'Can you help me with a task?')
  await session.append('assistant', 'Of course! What do you need?')
  await session.flush()
  log('\n=== Current history ===')
  const history = session.getHistory()
  for (const entry of history) log(`[${entry.type}] ${entry.content}`)
  log('\n=== Creating branch ===')
  const secondMessageId = history[1]!.id
  session.switchBranch(secondMessageId)
  await session.append('user', 'Tell me a joke instead')
  await session.append('assistant', 'Why did the chicken cross the road?')
  await session.flush()
  log('\n=== All branches ===')
  session.listBranches().forEach((branch, i) => {
    log(`Branch ${i + 1}: ${branch.length} messages, ends with "${branch.preview}"`)
  })
  log('\n=== Branch tree ===')
  log(session.visualize())
  await session.close()

  expect(printed.join('\n')).toBe(`No existing session, starting fresh

=== Adding messages ===

=== Current history ===
[user] Hello, how are you?
[assistant] I am doing well, thank you!
[user] Can you help me with a task?
[assistant] Of course! What do you need?

=== Creating branch ===
✓ Switched to branch ${secondMessageId}

=== All branches ===
Branch 1: 4 messages, ends with "Of course! What do you need?"
Branch 2: 4 messages, ends with "Why did the chicken cross the road?"

=== Branch tree ===
└── [user] Hello, how are you?
    └── [assistant] I am doing well, thank you!
        ├── [user] Can you help me with a task?
        │   └── [assistant] Of course! What do you need?
        └── [user] Tell me a joke instead
            └── [assistant] Why did the chicken cross the road?
`)
  expect(linesOf(session.path)).toHaveLength(6)
})

test('P23 load says what it found and goes on from the last line', async () => {
  using folder = makeTempFolder()
  const path = join(folder.path, 's.jsonl')
  const printed: string[] = []
  const open = () => new SessionManager(path, { log: (message) => printed.push(message) })
  await using first = open()
  await first.load()
  expect(first.getHistory()).toEqual([])
  const id = await first.append('user', 'Hello', { lang: 'en' })
  await using second = open()
  await second.load()
  await second.append('assistant', 'Hi')
  expect(second.getHistory().map(({ content }) => content)).toEqual(['Hello', 'Hi'])
  expect(linesOf(path)).toMatchObject([
    { id, parentId: null, type: 'user', content: 'Hello', metadata: { lang: 'en' } },
    { parentId: id, type: 'assistant', content: 'Hi' },
  ])
  expect(printed).toEqual(['No existing session, starting fresh', '✓ Loaded 1 messages'])
})

test('P24 with a buffer of five the fifth message writes them all', async () => {
  using folder = makeTempFolder()
  const path = join(folder.path, 's.jsonl')
  await using session = new SessionManager(path, { maxBufferSize: 5, flushIntervalMs: 60_000 })
  for (let n = 1; n <= 4; n++) await session.append('user', `${n}`)
  await expect(loadSession(path)).rejects.toMatchObject({ code: 'session_not_found' })
  await session.append('user', '5')
  expect(await loadSession(path)).toHaveLength(5)
})

test('P19 an unknown branch is not found, and the message can say how many messages the branch has', async () => {
  using folder = makeTempFolder()
  const printed: string[] = []
  const log = (message: string): void => void printed.push(message)
  await using session = new SessionManager(join(folder.path, 's.jsonl'), { log, showCounts: true })
  const id = await session.append('user', 'Hello')
  expect(() => session.switchBranch('nope')).toThrow('Branch nope not found')
  session.switchBranch(id)
  expect(printed).toEqual([`✓ Switched to branch ${id} (1 messages)`])
})

test('X23 a branch that was only switched to is the current one after a restart', async () => {
  using folder = makeTempFolder()
  const path = join(folder.path, 's.jsonl')
  const log = (): void => {}
  const session = new SessionManager(path, { log })
  const first = await session.append('user', 'one')
  await session.append('assistant', 'two')
  session.switchBranch(first)
  await session.close()
  await using again = new SessionManager(path, { log })
  await again.load()
  expect(again.getHistory().map(({ id }) => id)).toEqual([first])
  expect(again.listBranches()).toHaveLength(1)
  // The seed's own reader: the last line is where it goes on.
  expect(linesOf(path).at(-1)!.id).toBe(first)
  await again.flush()
  expect(linesOf(path)).toHaveLength(3)
})

test('P20 X12 a created branch is in the file, and the conversation goes on from it', async () => {
  using folder = makeTempFolder()
  const path = join(folder.path, 's.jsonl')
  await using session = new SessionManager(path, { log: () => {}, maxBufferSize: 10, flushIntervalMs: 60_000 })
  const first = await session.append('user', 'one')
  await session.append('assistant', 'two')
  const id = await session.createBranch(first, { id: 'mine', type: 'user', content: 'three' })
  expect(id).toBe('mine')
  expect(linesOf(path).map(({ content }) => content)).toEqual(['one', 'two', 'three'])
  expect(session.getHistory().map(({ content }) => content)).toEqual(['one', 'three'])
  await expect(session.createBranch('nope', { type: 'user', content: 'x' })).rejects.toThrow('Branch nope not found')
  await expect(session.createBranch(first, { id: 'mine', type: 'user', content: 'x' })).rejects.toMatchObject({
    code: 'id_in_use',
  })
  expect(session.listBranches()).toMatchObject([
    { length: 2, lastMessage: 'two' },
    { length: 2, preview: 'three' },
  ])
})

test('P21 X38 the end of a branch is its first fifty characters as a person counts them, in one line', async () => {
  using folder = makeTempFolder()
  await using session = new SessionManager(join(folder.path, 's.jsonl'), { log: () => {} })
  await session.append('user', `a\nb ${'👩‍👩‍👧'.repeat(60)}`)
  expect(session.listBranches()[0]!.preview).toBe(`a b ${'👩‍👩‍👧'.repeat(46)}`)
})

test('P22 X36 the tree is drawn under a line root', () => {
  const entry = (id: string, parentId: string | null, content: string): FlatEntry => {
    return { id, parentId, timestamp: 0, type: 'user', content }
  }
  const entries = [
    entry('1', null, 'Hello'),
    entry('2', '1', 'Hi there!'),
    entry('3', '2', 'How are you?'),
    entry('4', '3', "I'm good!"),
    entry('5', '2', 'Tell me a joke'),
    entry('6', '5', 'Why did the\nchicken cross the road, and who saw it?'),
  ]
  expect(visualizeBranches(entries)).toBe(`root
└── 1: Hello
    └── 2: Hi there!
        ├── 3: How are you?
        │   └── 4: I'm good!
        └── 5: Tell me a joke
            └── 6: Why did the chicken cross the
`)
  expect(visualizeBranches([])).toBe('root\n')
})

test('P11 blank and bad lines are told and hide no entry', async () => {
  using folder = makeTempFolder()
  const good = { id: '1', timestamp: 1, type: 'user', content: 'x' }
  const path = folder.plant(
    's.jsonl',
    good,
    '\n',
    'bad\n',
    { id: '2', type: 'other' },
    { ...good, id: '3', content: 7 },
  )
  const notes: (number | undefined)[] = []
  const entries = await loadSession(path, { onNote: ({ line }) => notes.push(line) })
  expect(entries).toEqual([good, { ...good, id: '3', content: '7' }])
  expect(notes.sort()).toEqual([3, 4])
})

test('an entry that is refused is not in the history', async () => {
  using folder = makeTempFolder()
  await using session = new SessionManager(join(folder.path, 's.jsonl'), { log: () => {} })
  await expect(session.append('user', 'x', { n: 1n })).rejects.toMatchObject({ code: 'invalid_entry' })
  expect(session.getHistory()).toEqual([])
})

test('X8 once a write has failed nothing seems to be added any more', async () => {
  using folder = makeTempFolder()
  const session = new SessionManager(join(folder.path, 'no', 'such', 'folder.jsonl'), { log: () => {} })
  await expect(session.append('user', 'one')).rejects.toMatchObject({ code: 'internal' })
  await expect(session.append('user', 'two')).rejects.toMatchObject({ code: 'internal' })
  expect(session.getHistory().map(({ content }) => content)).toEqual(['one'])
  await expect(session.close()).rejects.toMatchObject({ code: 'internal' })
})
