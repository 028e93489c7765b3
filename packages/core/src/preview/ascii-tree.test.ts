import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FlatEntry } from '../history/flat-entry.ts'
import { flatSource } from '../history/flat-source.ts'
import { runs } from '../testing/runs.ts'
import { type DrawStyle, drawTree, type TreeSource } from './ascii-tree.ts'

type Row = readonly [id: string, parentId: string | null, content: string]
function flat(...rows: readonly Row[]): FlatEntry[] {
  return rows.map(([id, parentId, content], i) => ({
    ...{ id, parentId, content, timestamp: i },
    type: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
  }))
}
const draw = (entries: readonly FlatEntry[], style: DrawStyle) => [...drawTree(flatSource(entries), style)].join('\n')

const seed = flat(
  ['1', null, 'Hello'],
  ['2', '1', 'Hi there!'],
  ['3', '2', 'How are you?'],
  ['4', '3', "I'm good!"],
  ['5', '2', 'Tell me a joke'],
  ['6', '5', 'Why did the...'],
)

test('P22 style ids is what seed 004 prints', () => {
  expect(draw(seed, 'ids')).toBe(
    `
root
└── 1: Hello
    └── 2: Hi there!
        ├── 3: How are you?
        │   └── 4: I'm good!
        └── 5: Tell me a joke
            └── 6: Why did the...`.slice(1),
  )
})

test('P26 P27 style typed is what the demo of seed 004 prints', () => {
  const demo = flat(
    ['a', '', 'Hello, how are you?'],
    ['b', 'a', 'I am doing well, thank you!'],
    ['c', 'b', 'Can you help me with a task?'],
    ['d', 'c', 'Of course! What do you need?'],
    ['e', 'b', 'Tell me a joke instead'],
    ['f', 'e', 'Why did the chicken cross the road?'],
  )
  expect(draw(demo, 'typed')).toBe(
    `
└── [user] Hello, how are you?
    └── [assistant] I am doing well, thank you!
        ├── [user] Can you help me with a task?
        │   └── [assistant] Of course! What do you need?
        └── [user] Tell me a joke instead
            └── [assistant] Why did the chicken cross the road?`.slice(1),
  )
})

test('P26 several roots follow each other', () => {
  const roots = flat(['a', null, 'one'], ['b', 'a', 'two'], ['c', null, 'three'])
  expect(draw(roots, 'typed')).toBe('├── [user] one\n│   └── [assistant] two\n└── [user] three')
  expect(draw(roots, 'ids')).toBe('root\n├── a: one\n│   └── b: two\n└── c: three')
})

test('P22 P26 an empty tree is its header, or nothing', () => {
  expect(draw([], 'ids')).toBe('root')
  expect(draw([], 'typed')).toBe('')
  expect(draw([], 'treeline')).toBe('')
})

test('X36 X38 labels are cut to 30 and 40 characters, whole ones, without a sign, on one line', () => {
  const long = flat(['a', null, `a\n b${'👍🏽'.repeat(50)}`])
  expect(draw(long, 'ids')).toBe(`root\n└── a: a b${'👍🏽'.repeat(27)}`)
  expect(draw(long, 'typed')).toBe(`└── [user] a b${'👍🏽'.repeat(37)}`)
})

test('G1 rings and missing parents are drawn as roots', () => {
  const odd = flat(['a', 'b', 'ring'], ['b', 'a', 'ring'], ['c', 'gone', 'orphan'])
  expect(draw(odd, 'ids')).toBe('root\n├── a: ring\n│   └── b: ring\n└── c: orphan')
})

test('style treeline keeps straight runs in one column, the trunk included', () => {
  const source: TreeSource<number> = {
    ...flatSource([
      ...seed,
      ...flat(['7', '5', 'Another one'], ['8', '7', 'Knock knock'], ['9', '2', 'Bye'], ['x', null, 'A new start']),
    ]),
    marks: (n) => ({
      trunk: [0, 1, 4, 6, 7].includes(n),
      leaf: n === 7,
      muted: n === 6,
      generating: n === 8,
      ...(n === 4 && { label: 'jokes' }),
    }),
  }
  expect([...drawTree(source, 'treeline')].join('\n')).toBe(
    `
● user       Hello
● assistant  Hi there!
├─○ user       How are you?
│ ○ assistant  I'm good!
├─○ user       (generating) Bye
● user       (#jokes) Tell me a joke
├─○ assistant  Why did the...
● user       (muted) Another one
● assistant  (leaf) Knock knock

○ assistant  A new start`.slice(1),
  )
})

test('K4 nothing a node holds reaches the terminal as a command or breaks a line, and treeline keeps to 80 columns', () => {
  const hostile = fc.constantFrom('\u001b[2J', '\u001b]52;c;x\u0007', '\n', '\r', '\u202e', 'a', ' ', 'é'.repeat(60))
  const words = fc.array(hostile, { maxLength: 6 }).map((parts) => parts.join(''))
  const node = fc.record({ id: words, content: words, parent: fc.nat() })
  const style = fc.constantFrom<DrawStyle>('ids', 'typed', 'treeline')
  fc.assert(
    fc.property(fc.array(node, { minLength: 1, maxLength: 20 }), style, (nodes, drawn) => {
      const rows = nodes.map(({ id, content, parent }, i): Row => {
        return [`${id}${i}`, i === 0 ? null : `${nodes[parent % i]!.id}${parent % i}`, content]
      })
      for (const line of drawTree(flatSource(flat(...rows)), drawn)) {
        expect(/[\p{Cc}\p{Bidi_Control}]/u.test(line)).toBe(false)
        if (drawn === 'treeline') expect([...line].length).toBeLessThanOrEqual(80)
      }
    }),
    { numRuns: runs(300) },
  )
})

/** Node n has the children it is given; ids and texts are made up when asked for. */
function made(childrenOf: (node: number) => readonly number[], onText = (_node: number) => {}): TreeSource<number> {
  const text = (node: number) => {
    onText(node)
    return `text ${node}`
  }
  return { roots: [0], children: childrenOf, id: String, type: () => 'user', text }
}

test('G1 a million deep without branches is a straight list in style treeline', () => {
  const depth = 1_000_000
  let lines = 0
  let widest = 0
  for (const line of drawTree(
    made((n) => (n + 1 < depth ? [n + 1] : [])),
    'treeline',
  )) {
    lines++
    widest = Math.max(widest, line.length)
  }
  expect([lines, widest]).toEqual([depth, '○ user       text 999999'.length])
})

test('G1 branches off branches, 10,000 times over, stay within 80 columns and keep half of them for words', () => {
  // Every even node has a long way on beside a short one that is drawn straight.
  const source = made((n) => (n % 2 === 1 || n >= 20_000 ? [] : [n + 2, n + 1]))
  const lines = [...drawTree(source, 'treeline')]
  expect(lines).toHaveLength(20_001)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
  expect(lines[10_000]).toMatch(/^⋯ [│ ]+├─○ user {7}text 20000$/)
})

test('G1 200,000 siblings are drawn in order', () => {
  const source = made((n) => (n === 0 ? Array.from({ length: 200_000 }, (_, i) => i + 1) : []))
  for (const style of ['ids', 'typed', 'treeline'] as const) {
    let last = ''
    let lines = 0
    for (last of drawTree(source, style)) lines++
    expect(lines).toBe(style === 'ids' ? 200_002 : 200_001)
    expect(last).toContain('text 200000')
  }
})

test.each(['ids', 'typed', 'treeline'] as const)('style %s reads only the nodes whose lines are taken', (style) => {
  const read: number[] = []
  const lines = drawTree(
    made(
      (n) => [n + 1],
      (n) => void read.push(n),
    ),
    style,
  )
  for (let i = 0; i < 3; i++) lines.next()
  expect(read.length).toBeLessThanOrEqual(3)
})
