import { expect } from 'vitest'
import { findBarriers } from '../testing/axe.ts'
import { startSite, webTest } from '../testing/browser.ts'
import { message, said, seed, TWO_BRANCHES } from '../testing/seed.ts'
import { VIEWS } from '../testing/views.ts'

const site = startSite()

/** Something of everything that a chat shows. */
const RICH = [
  ...TWO_BRANCHES,
  said('code', 'right-reply', 'user', 'Show it in code.'),
  message('call', 'code', {
    role: 'assistant',
    provider: 'demo',
    model: 'demo',
    stopReason: 'toolUse',
    content: [
      { type: 'thinking', thinking: 'The file has it.' },
      { type: 'toolCall', id: 'call-1', name: 'read', arguments: { path: 'src/cache.ts' } },
    ],
  }),
  message('result', 'call', {
    role: 'toolResult',
    toolCallId: 'call-1',
    toolName: 'read',
    content: [{ type: 'text', text: 'export const cache = new Map()' }],
    isError: false,
  }),
  said(
    'shown',
    'result',
    'assistant',
    '## A cache\n\n> Quoted.\n\n```ts\n/** Keeps. */\nexport const cache = new Map<string, number>() // 1\n```\n\n| a | b |\n|---|---|\n| `1` | [link](https://example.org) |\n\n1. one\n2. two',
  ),
  message('failed', 'shown', {
    role: 'assistant',
    provider: 'demo',
    model: 'demo',
    stopReason: 'error',
    errorMessage: 'The provider is overloaded.',
    content: [{ type: 'text', text: 'Some' }],
  }),
]

const WIDE = { width: 1280, height: 800 }
const NARROW = { width: 420, height: 800 }
const LOOKS = [
  { name: 'light', colorScheme: 'light', viewport: WIDE },
  { name: 'narrow-dark', colorScheme: 'dark', viewport: NARROW },
  // As thorough as there is time for: these differ from one of those in one respect.
  ...(process.env.TREELINE_RUNS_FACTOR === undefined
    ? []
    : ([
        { name: 'dark', colorScheme: 'dark', viewport: WIDE },
        { name: 'narrow-light', colorScheme: 'light', viewport: NARROW },
      ] as const)),
] as const

webTest.each(VIEWS)('$name shuts nobody out, light or dark, wide or narrow', async ({ name: view, path, show }) => {
  const id = await seed(site.call, RICH, { title: 'Caches', muted: ['reply'] })
  for (const { name, ...look } of LOOKS) {
    const { page, shoot } = await site.open(path(id), { ...look, bypassCSP: true })
    await show(page)
    await shoot(`${view}-${name}`)
    expect(await findBarriers(page), name).toEqual([])
  }
})
