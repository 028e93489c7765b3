import { expect, test } from 'vitest'
import { ChatScreen } from './chat-screen.ts'
import { watchBell } from './watch-bell.ts'

const live = { text: '', isThinking: false }
const question = {
  sessionId: 's',
  nodeId: 'n',
  toolCallId: 'c',
  toolName: 'bash',
  effect: 'run',
  input: {},
  cwd: '/',
  preview: { title: 'bash' },
} as const

function bellFor(bell: 'long' | 'always' | 'never', tookMs: number) {
  const screen = new ChatScreen()
  let rung = 0
  watchBell(screen, { bell, ring: () => rung++, now: () => screen.getSnapshot().busySinceMs + tookMs })
  return { screen, rung: () => rung }
}

test.each([
  ['long', 4_900, 0],
  ['long', 5_000, 1],
  ['always', 10, 1],
  ['never', 60_000, 0],
] as const)('%s: what took %i ms rings %i times', (bell, tookMs, times) => {
  const { screen, rung } = bellFor(bell, tookMs)
  screen.set({ isBusy: true })
  screen.set({ live })
  expect(rung()).toBe(0)
  screen.set({ isBusy: false, live: undefined })
  expect(rung()).toBe(times)
})

test('a question rings once, and so does the end after it', () => {
  const { screen, rung } = bellFor('always', 0)
  screen.set({ isBusy: true, live })
  screen.set({ question })
  screen.set({ queued: [] })
  expect(rung()).toBe(1)
  screen.set({ question: undefined })
  screen.set({ isBusy: false, live: undefined })
  expect(rung()).toBe(2)
})

test('nothing rings for a command of the chat, or while more waits', () => {
  const { screen, rung } = bellFor('always', 60_000)
  screen.set({ isBusy: true })
  screen.set({ isBusy: false })
  screen.set({ isBusy: true, live, queued: ['more'] })
  screen.set({ isBusy: false, live: undefined })
  expect(rung()).toBe(0)
})
