import { openMemoryStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { makeRichSession, PIXEL, writeWhole } from '../testing/rich-session.ts'
import { markdownWriter } from './write.ts'

test('T43 the trunk as a clean transcript: muted and pruned nodes are out', async () => {
  await using store = await openMemoryStore()
  await using session = await makeRichSession(store)
  const { text, notes } = await writeWhole(markdownWriter, session, { branches: 'trunk' })
  const date = session.header.timestamp.slice(0, 10)
  expect(text).toBe(`# Harbour lights, autumn

${date} · /projects/harbour

## You

Which lights are **on** in the harbour?

## Assistant (demo-1)

> The list of lights is in a file.

I will look at the list.

**read**

\`\`\`json
{
  "path": "lights.csv",
  "limit": 20
}
\`\`\`

*Result: read*

\`\`\`\`
name,on
north,yes
south,no
\`\`\`
not a fence of ours
\`\`\`\`

![image png, 72 bytes](data:image/png;base64,${PIXEL})

**the answer**

Only the **north** light is on.

- north: \`on\`
- south: \`off\`

\`\`\`ts
const on = a < b
\`\`\`

## You

Switch the south light on.

## Assistant (demo-1)

The south light is on now. See [the plan](https://example.com/plan).

`)
  expect(notes).toEqual([{ kind: 'left_out', message: '2 muted nodes of the trunk are not in the transcript.' }])
})

test('other branches and the stash are an outline at the end', async () => {
  await using store = await openMemoryStore()
  await using session = await makeRichSession(store)
  const { text } = await writeWhole(markdownWriter, session)
  expect(text.slice(text.indexOf('## Other branches'))).toBe(`## Other branches

- Switch the north light off instead. (2 nodes, \`other001\`)
- Leave everything as it is. (2 nodes, \`third001\`)

## Stash

- What about the buoys? (2 nodes, \`stash001\`)

`)
})

test('K4 nothing that a file could bring to life is in it, wherever it stood', async () => {
  await using store = await openMemoryStore()
  const evil = '<img src=x onerror=alert(1)>'
  await using session = await store.create({ cwd: `/${evil}`, title: evil })
  const content = [
    { type: 'text', text: evil },
    { type: 'thinking', thinking: evil },
    { type: 'image', mimeType: 'image/svg+xml', data: 'PHN2Zz4=' },
    { type: 'image', mimeType: `"${evil}`, data: `"${evil}` },
    { type: 'strange', evil },
  ]
  await session.append({
    type: 'message',
    id: 'evil0001',
    message: { role: 'assistant', model: evil, content, errorMessage: evil },
  })
  await session.append({ type: 'message', message: { role: evil, content: evil } })
  await session.setLabel('evil0001', evil)
  await session.append({ type: 'message', message: { role: 'user', content: evil } }, { parentId: null })
  const { text, notes } = await writeWhole(markdownWriter, session, { leafId: 'evil0001' })
  const outside = text.replace(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '')
  expect(outside).not.toContain('<')
  expect(outside).toContain('&lt;img')
  expect(notes.filter((note) => note.kind === 'left_out')).toHaveLength(2)
})

test('K6 redacted, and says that it is best effort', async () => {
  await using store = await openMemoryStore()
  await using session = await store.create({ cwd: '/p' })
  await session.append({ type: 'message', message: { role: 'user', content: 'MY_TOKEN=abcdefgh1' } })
  const { text } = await writeWhole(markdownWriter, session, { redact: true })
  expect(text).not.toContain('abcdefgh1')
  expect(text).toContain('best effort')
})
