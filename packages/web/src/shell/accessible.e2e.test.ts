import { routes } from '@treeline/protocol'
import { expect } from 'vitest'
import { type Barrier, bringAxe, findBarriers } from '../testing/axe.ts'
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

const WIDTHS = [
  { name: 'wide', viewport: { width: 1280, height: 800 } },
  // As thorough as there is time for.
  ...(process.env.TREELINE_RUNS_FACTOR === undefined
    ? []
    : [{ name: 'narrow', viewport: { width: 420, height: 800 } }]),
]

webTest.each(WIDTHS)('no view shuts anybody out, light or dark: $name', { timeout: 120_000 }, async (width) => {
  const id = await seed(site.call, RICH, { title: 'Caches', muted: ['reply'] })
  const thrownAway = await seed(site.call, TWO_BRANCHES, { title: 'Old' })
  await site.call(routes.deleteSession, { params: { sessionId: thrownAway } })
  const { page, shoot } = await site.open('/healthz', { viewport: width.viewport, bypassCSP: true })
  await bringAxe(page)
  const barriers: Record<string, readonly Barrier[]> = {}
  for (const { name, path, show } of VIEWS) {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(site.url + path(id))
    await show(page)
    await shoot(`${name}-${width.name}-light`)
    const inLight = await findBarriers(page)
    // The same page in other colours, about which only one rule has something to say.
    await page.emulateMedia({ colorScheme: 'dark' })
    await shoot(`${name}-${width.name}-dark`)
    const found = [...inLight, ...(await findBarriers(page, ['color-contrast']))]
    if (found.length > 0) barriers[name] = found
  }
  expect(barriers).toEqual({})
})
