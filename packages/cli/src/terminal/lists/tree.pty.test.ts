import { describe, expect, test } from 'vitest'
import { inEditor, isIdle, say } from '../../testing/chat-terminal.ts'
import type { Terminal } from '../../testing/terminal.ts'
import { readLog, seededChat } from './testing/seeded-chat.ts'

const alt = (terminal: Terminal, letter: string) => terminal.send(`\u001b${letter}`)

async function openTree(terminal: Terminal): Promise<readonly string[]> {
  await say(terminal, '/tree')
  return await terminal.waitFor(/^› .*\(leaf\) Take a hat$/m)
}

describe('/tree', () => {
  test('M8 shows the whole tree: trunk, leaf, branch points; what it shows follows filters and search', async () => {
    const { open } = await seededChat()
    const terminal = await open(['-c'])
    const screen = (await openTree(terminal)).join('\n')
    expect(screen).toContain(
      [
        'Tree · 4 of 6',
        '  ● user       Plan a trip',
        '  ● assistant  (2 branches) Where to?',
        '  ├─● user       South',
        '› │ ● assistant  (leaf) Take a hat',
        '  └─○ user       North',
        '    ○ assistant  Take a coat',
      ].join('\n'),
    )
    await terminal.press('ctrl+u')
    await terminal.waitFor('Tree · user only · 2 of 3')
    await terminal.press('ctrl+u', 'ctrl+l')
    await terminal.waitFor('Tree · labelled · nothing here')
    await terminal.press('ctrl+l', 'ctrl+o')
    await terminal.waitFor(/Tree · all · \d of \d/)
    await terminal.press('ctrl+o', 'ctrl+t')
    await terminal.waitFor('Tree · no tools · 4 of 6')
    // As over a slow line: both at once.
    await terminal.send('\u0014\u0015')
    await terminal.waitFor('Tree · user only')
    await terminal.press('ctrl+u')
    await terminal.type('coat')
    await terminal.waitFor('Search: coat · 1 of 1 found')
    await terminal.press('esc')
    await terminal.waitFor('Tree · 4 of 6')
    await terminal.press('esc')
    await terminal.waitFor(isIdle)
  })

  test('mute, prune, graft, label, undo and redo by key: told above the rows, and in the log', async () => {
    const { open, home } = await seededChat()
    const terminal = await open(['-c'])
    await openTree(terminal)
    await alt(terminal, 'm')
    await terminal.waitFor(/^Muted 1 node: about \d+ tokens? less\. Alt\+U undoes it\.$/m)
    expect((await readLog(home)).isMuted('a3')).toBe(true)
    await alt(terminal, 'u')
    await terminal.waitFor(/^Undone: mute .*a3/m)
    expect((await readLog(home)).isMuted('a3')).toBe(false)
    await alt(terminal, 'r')
    await terminal.waitFor(/^Redone: mute .*a3/m)
    expect((await readLog(home)).isMuted('a3')).toBe(true)

    await alt(terminal, 'l')
    await terminal.waitFor('Label (empty takes it away)')
    await terminal.type('sunny')
    await terminal.press('enter')
    await terminal.waitFor('(leaf, muted, #sunny) Take a hat')
    expect((await readLog(home)).labelOf('a3')).toBe('sunny')

    await terminal.press('down')
    await alt(terminal, 'p')
    await terminal.waitFor('Pruned 2 nodes into the stash')
    expect((await readLog(home)).childrenOf('a1')).toEqual(['u3'])
    await terminal.press('end', 'up')
    await terminal.waitFor(/^› ◌ user +\(pruned\) North$/m)
    await alt(terminal, 'g')
    await terminal.waitFor('Grafting u2: go to its new parent and press Alt+G, Esc lets go')
    await terminal.press('up')
    await alt(terminal, 'g')
    await terminal.waitFor('Grafted u2 under a3')
    expect((await readLog(home)).childrenOf('a3')).toEqual(['u2'])
    await alt(terminal, 'u')
    await terminal.waitFor(/^Undone: graft u2/m)
    expect((await readLog(home)).childrenOf('a3')).toEqual([])
    await terminal.press('esc')
    await terminal.waitFor(isIdle)
  })

  test('a graft into its own branch is refused in words, and so is going on from the stash', async () => {
    const { open, home } = await seededChat()
    const terminal = await open(['-c'])
    await openTree(terminal)
    await terminal.press('up')
    await alt(terminal, 'g')
    await terminal.waitFor('Grafting u3')
    await terminal.press('down')
    await alt(terminal, 'g')
    await terminal.waitFor('Node a3 is part of what hangs under u3.')
    await terminal.press('esc', 'down')
    await alt(terminal, 'p')
    await terminal.waitFor('Pruned 2 nodes')
    await terminal.press('end', 'enter')
    await terminal.waitFor('Node a2 is in the stash. Graft it back before going on from it.')
    expect((await readLog(home)).leafId).toBe('a3')
  })

  test('copies what a node says', async () => {
    const { open } = await seededChat({ PATH: '/nonexistent' })
    const terminal = await open(['-c'])
    await openTree(terminal)
    await alt(terminal, 'c')
    await terminal.waitFor(/^Copied|clipboard/m)
    expect(terminal.spied.clipboard).toEqual([`c;${Buffer.from('Take a hat').toString('base64')}`])
  })
})

describe('picking', () => {
  test('where one is already closes the list, and nothing is written', async () => {
    const { open, home } = await seededChat()
    const before = (await readLog(home)).entries.length
    const terminal = await open(['-c'])
    await openTree(terminal)
    await terminal.press('enter')
    await terminal.waitFor(isIdle)
    expect(terminal.screen().join('\n')).not.toMatch(/earlier place|another branch/)
    expect((await readLog(home)).entries).toHaveLength(before)
  })

  test('M9 the first prompt starts over: the leaf is null and its text in the editor', async () => {
    const { open, home } = await seededChat()
    const terminal = await open(['-c'])
    await openTree(terminal)
    await terminal.press('home', 'enter')
    await terminal.waitFor(/This leaves 4 messages behind\. Sum them up for the model\?\n› n no summary/)
    await terminal.press('enter')
    await terminal.waitFor((screen) => inEditor(screen) === 'Plan a trip')
    expect((await readLog(home)).leafId).toBeNull()
    await terminal.type(' by sea')
    await terminal.press('enter')
    await terminal.waitFor('You said: “Plan a trip by sea”')
    await terminal.waitFor(isIdle)
    expect((await readLog(home)).childrenOf(null)).toHaveLength(2)
  })

  test('M9 an answer of another branch is gone on from; Esc at the question leads back to the tree', async () => {
    const { open, home } = await seededChat()
    const terminal = await open(['-c'])
    await openTree(terminal)
    await terminal.press('end', 'enter')
    await terminal.waitFor('This leaves 2 messages behind.')
    await terminal.press('esc')
    await terminal.waitFor(/^› +○ assistant +Take a coat$/m)
    expect((await readLog(home)).leafId).toBe('a3')
    await terminal.press('enter', 'n')
    await terminal.waitFor('On another branch now.')
    await terminal.waitFor(isIdle)
    expect((await readLog(home)).leafId).toBe('a2')
    expect(terminal.screen().join('\n')).toContain('Take a coat')
  })
})
