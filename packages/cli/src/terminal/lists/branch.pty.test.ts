import { expect, test } from 'vitest'
import { widthOf } from '../../output/table.ts'
import { inEditor, isIdle } from '../../testing/chat-terminal.ts'
import { readLog, seededChat, text } from './testing/seeded-chat.ts'

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(3_000, 7)]).toString('base64')

test('N49, N50, X28 Esc Esc lists prompts newest first, Tab those of all branches; picking asks nothing', async () => {
  const { open, home } = await seededChat()
  const terminal = await open(['-c'])
  await terminal.press('esc', 'esc')
  await terminal.waitFor('Branch · this branch · 1 of 2')
  await terminal.waitFor(/› just now +South\n +just now +Plan a trip\n/)
  await terminal.press('up', 'tab')
  await terminal.waitFor('Branch · all branches · 1 of 3')
  await terminal.waitFor(/› ● just now +South\n +○ just now +North\n +● just now +Plan a trip\n/)
  await terminal.press('down', 'enter')
  await terminal.waitFor((screen) => inEditor(screen) === 'North')
  expect((await readLog(home)).leafId).toBe('a1')
  await terminal.type('-east')
  await terminal.press('enter')
  await terminal.waitFor('You said: “North-east”')
  await terminal.waitFor(isIdle)
  expect((await readLog(home)).childrenOf('a1')).toHaveLength(3)
})

test('N55, X27 text and images of a prompt come back into the editor, in their places, and are sent again', async () => {
  const image = { type: 'image', data: PNG, mimeType: 'image/png' }
  const said = [...text('Plan it like '), image, ...text(' please')]
  const { open, home } = await seededChat({}, said)
  const terminal = await open(['-c'])
  await terminal.press('esc', 'esc')
  await terminal.waitFor('1 of 2')
  await terminal.press('down', 'enter')
  await terminal.waitFor((screen) => inEditor(screen) === 'Plan it like [Image #1] please')
  expect((await readLog(home)).leafId).toBeNull()
  await terminal.type('!')
  await terminal.press('enter')
  await terminal.waitFor('You said')
  await terminal.waitFor(isIdle)
  const { entries, childrenOf } = await readLog(home)
  const [, second] = childrenOf(null)
  const { content } = entries.find(({ id }) => id === second)!.message as { content: unknown }
  expect(content).toEqual([...text('Plan it like '), image, ...text(' please!')])
})

test('a long paste comes back as the placeholder it was', async () => {
  const { open, home } = await seededChat()
  const terminal = await open(['-c'])
  await terminal.type('Look: ')
  await terminal.paste(Array.from({ length: 60 }, (_, i) => `pasted ${i}`).join('\n'))
  await terminal.waitFor((screen) => inEditor(screen) === 'Look: [Pasted text #1 +59 lines]')
  await terminal.press('enter')
  await terminal.waitFor('What I was given')
  await terminal.waitFor(isIdle)
  await terminal.press('esc', 'esc')
  await terminal.waitFor('1 of 3')
  await terminal.press('enter')
  await terminal.waitFor((screen) => inEditor(screen) === 'Look: [Pasted text #1 +59 lines]')
  expect((await readLog(home)).leafId).toBe('a3')
})

test('N52 40 columns, wide characters and emoji: a preview and a time in every row, and no row is wider', async () => {
  const { open } = await seededChat({}, text(`去罗马${'👩‍👩‍👧🍕'.repeat(40)}`))
  const terminal = await open(['-c'], { columns: 40 })
  await terminal.press('esc', 'esc')
  const screen = await terminal.waitFor(/just now +去罗马/)
  const list = screen.slice(screen.findIndex((row) => row.startsWith('Branch ·')))
  for (const row of list) expect(widthOf(row), row).toBeLessThanOrEqual(40)
  expect(list.map((row) => /^[› ] just now +\S/.test(row)).slice(0, 4)).toEqual([false, true, true, false])
})
