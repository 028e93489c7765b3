import { afterAll, expect, test } from 'vitest'
import { NodeFlag } from '../session-index/schema.ts'
import type { SessionSource } from '../session-index/session-source.ts'
import { messageEntry, SmallIndex, userEntry } from '../testing/small-index.ts'

const TEXTS = [
  'The function getUserById lives in src/log/file-log.ts',
  'a snake_case_name and a kebab-case-name',
  'Ein Café in der Straße, İstanbul, ＦＵＬＬ width',
  '全文検索のテストです',
  '한국어 문장 검색',
  'ค้นหาข้อความภาษาไทย',
  'party 🎉 time 👩‍👩‍👧',
  'The quick brown\n\n   fox jumps over 42 lazy dogs => done',
  'HTTPServer, parseJSONFile and iPhone',
]

const FOUND: readonly (readonly [query: string, ...texts: number[]])[] = [
  ['function', 0],
  ['FUNC', 0],
  ['user', 0],
  ['userBy', 0],
  ['getuserbyid', 0],
  ['by', 0],
  ['id', 0],
  ['se', 8],
  ['ip', 8],
  ['ph', 8],
  ['js', 8],
  ['src/log/file-log.ts', 0],
  ['log.ts', 0],
  ['ts', 0],
  ['snake_case_name', 1],
  ['case_name', 1],
  ['case name', 1],
  ['na', 1],
  ['kebab-case', 1],
  ['cafe', 2],
  ['CAFÉ', 2],
  ['strasse', 2],
  ['straße', 2],
  ['istanbul', 2],
  ['full width', 2],
  ['ｆｕｌｌ', 2],
  ['検', 3],
  ['検索', 3],
  ['全文検索', 3],
  ['テスト', 3],
  ['で', 3],
  ['です', 3],
  ['ﾃｽﾄ', 3],
  ['검', 4],
  ['검색', 4],
  ['한국어', 4],
  ['국어', 4],
  ['หา', 5],
  ['ข้อ', 5],
  ['ภาษาไทย', 5],
  ['🎉', 6],
  ['🎉 ti', 6],
  ['👩', 6],
  ['"quick brown fox"', 7],
  ['"brown fox', 7],
  ['42', 7],
  ['4', 7],
  ['2'],
  ['=>', 7],
  ['dogs fox', 7],
  ['qu -lazy'],
  ['the -lazy', 0],
  ['the -"brown fox"', 0],
  ['rs'],
  ['"fox brown"'],
  ['か'],
]

const said = new SmallIndex()
said.say(...TEXTS)
afterAll(() => said[Symbol.dispose]())

test.for(FOUND)('words, parts of words, scripts and signs: %j', async ([query, ...expected]) => {
  const { hits, pending, next } = await said.search(query)
  expect(hits.map((hit) => Number(hit.time?.slice(17, 19)) - 1)).toEqual(expected.toReversed())
  expect({ pending, next }).toEqual({ pending: 0, next: undefined })
})

test('a hit says where it is and what it is', async () => {
  using index = new SmallIndex()
  const entry = messageEntry({
    role: 'assistant',
    content: [{ type: 'toolCall', name: 'bash', arguments: { command: 'ls' } }],
  })
  index.add('file', [{ entry, timeMs: 1000, flags: NodeFlag.muted | NodeFlag.pruned }])
  expect(await index.hits('ls')).toEqual([
    {
      sessionId: 'id-of-file',
      sessionName: 'A name',
      path: 'file',
      source: 'memory',
      cwd: '/p',
      nodeId: entry.id,
      role: 'assistant',
      tools: ['bash'],
      isError: false,
      isMuted: true,
      isPruned: true,
      isDeleted: false,
      time: '1970-01-01T00:00:01.000Z',
      snippet: { text: 'bash ls', matches: [[5, 7]] },
    },
  ])
})

test('each facet alone, in options and in the query, and both', async () => {
  using index = new SmallIndex()
  const call = { type: 'toolCall', name: 'Edit', arguments: { file_path: '/home/src/Main.ts', text: 'word' } }
  index.add('one', [
    { entry: userEntry('word of a user'), timeMs: 1000 },
    { entry: messageEntry({ role: 'assistant', content: [call] }), timeMs: 2000 },
    {
      entry: messageEntry({ role: 'toolResult', toolName: 'bash', isError: true, content: 'word failed' }),
      timeMs: 3000,
    },
    { entry: userEntry('word muted'), timeMs: 4000, flags: NodeFlag.muted },
    { entry: userEntry('word deleted'), timeMs: 5000, flags: NodeFlag.deleted | NodeFlag.pruned },
  ])
  index.add('two', [{ entry: userEntry('word elsewhere'), timeMs: Date.parse('2026-01-01') }], '/other')
  const cases = [
    ['role:user', { role: 'user' }, ['word elsewhere', 'word muted', 'word of a user']],
    ['tool:edit', { tool: 'EDIT' }, ['Edit /home/src/Main.ts word']],
    ['error:true', { error: true }, ['word failed']],
    ['path:src/main', { path: 'SRC/main.ts' }, ['Edit /home/src/Main.ts word']],
    ['path:"src/main"', { path: 'home/src' }, ['Edit /home/src/Main.ts word']],
    ['since:2026-01-01', { since: '2026-01-01T00:00:00Z' }, ['word elsewhere']],
    ['until:1970-01-01T00:00:02Z', { until: '1970-01-01T00:00:02Z' }, ['word of a user']],
    ['cwd:/other', { cwd: '/other' }, ['word elsewhere']],
    ['session:id-of-two', { sessionId: 'id-of-two' }, ['word elsewhere']],
    ['muted:true', { muted: true }, ['word muted']],
    ['source:other', { source: 'other' }, []],
  ] as const
  for (const [operator, options, expected] of cases) {
    expect(await index.texts(`word ${operator}`), operator).toEqual(expected)
    expect(await index.texts('word', options), operator).toEqual(expected)
    expect(await index.texts('', options), operator).toEqual(expected)
    expect(await index.texts(`${operator}`, options), operator).toEqual(expected)
  }
  expect(await index.texts('word error:false muted:false role:user')).toEqual(['word elsewhere', 'word of a user'])
  expect(await index.texts('word role:user', { role: 'toolResult' })).toEqual(['word failed'])
  expect((await index.hits('deleted', { deleted: true })).map((hit) => hit.isDeleted)).toEqual([true])
})

test('what is no filter is looked for as text', async () => {
  using index = new SmallIndex()
  index.say('role:nobody since:ever http://host/x error: none', '--force "quoted')
  for (const query of ['role:nobody', 'since:ever', 'http://host', 'error: none', 'error:']) {
    expect(await index.hits(query), query).toHaveLength(1)
  }
  expect(await index.texts('--force')).toEqual(['--force "quoted'])
  expect(await index.hits('-force')).toHaveLength(1)
})

test('neither words nor filters: an empty page', async () => {
  using index = new SmallIndex()
  index.say('something')
  for (const query of ['', '  \n', '""', '\u0301', '"', '" "']) {
    expect(await index.search(query)).toEqual({ hits: [], next: undefined, pending: 0 })
  }
})

test('paging has no gaps and no repeats while nodes arrive and files are indexed anew', async () => {
  using index = new SmallIndex()
  // Forks: the same times in several files.
  const nodes = Array.from({ length: 40 }, (_, i) => ({ entry: userEntry(`word ${i}`), timeMs: 1000 * (i >> 2) }))
  for (const path of ['a', 'b', 'c']) index.add(path, nodes)
  const all = (await index.hits('word', { limit: 500 })).map((hit) => `${hit.path} ${hit.nodeId}`)
  expect(new Set(all).size).toBe(120)
  const seen: string[] = []
  let after: string | undefined
  do {
    const page = await index.search('word', { limit: 7, after })
    seen.push(...page.hits.map((hit) => `${hit.path} ${hit.nodeId}`))
    after = page.next
    index.add('d', [{ entry: userEntry('word new'), timeMs: 1e9 + seen.length }])
    // Docids change, places do not.
    index.db.sql.exec("DELETE FROM nodes WHERE file_id = (SELECT file_id FROM files WHERE path = 'b')")
    index.bodies.delete('b')
    index.add('b', nodes)
  } while (after !== undefined)
  expect(seen).toEqual(all)
})

test('only as many bodies are read as a page needs', async () => {
  using index = new SmallIndex()
  for (let file = 0; file < 20; file++) {
    const nodes = Array.from({ length: 250 }, (_, i) => ({
      entry: userEntry(`common word ${i}`),
      timeMs: file * 250_000 + i * 1000,
    }))
    index.add(`f${file}`, nodes)
  }
  expect(await index.hits('common')).toHaveLength(50)
  expect(index.reads).toBeLessThan(60)
})

test('I7 a body that is gone or another one is left out and its file counted as pending', async () => {
  using index = new SmallIndex()
  index.add('good', [{ entry: userEntry('word'), timeMs: 1 }])
  index.add('gone', [{ entry: userEntry('word'), timeMs: 2 }])
  index.add('cut', [{ entry: userEntry('word'), timeMs: 3 }])
  index.add('other', [{ entry: userEntry('word'), timeMs: 4 }])
  index.add('changed', [{ entry: userEntry('word'), timeMs: 5 }])
  index.bodies.delete('gone')
  index.bodies.set('cut', [])
  index.bodies.set('other', [userEntry('word')])
  const [entry] = index.bodies.get('changed') ?? []
  index.bodies.set('changed', [entry && { ...entry, message: { role: 'user', content: 'said otherwise' } }])
  const { hits, pending } = await index.search('word')
  expect(hits.map((hit) => hit.path)).toEqual(['good'])
  expect(pending).toBe(3)
})

test('files of a source that is not known here are not looked for, and not waited for', async () => {
  using index = new SmallIndex()
  index.say('word')
  expect(await index.search('word', {}, { sources: new Map() })).toEqual({ hits: [], next: undefined, pending: 0 })
})

test('I6 a file that is indexed anew while a search goes on is counted as pending', async () => {
  using index = new SmallIndex()
  const answers = (count: number, from: number) =>
    Array.from({ length: count }, (_, i) => ({
      entry: messageEntry({ role: 'assistant', content: 'word' }),
      timeMs: from + i,
    }))
  index.add('old', answers(3, 1))
  index.add('of another project', answers(3, 10), '/q')
  // More than the index is asked for at once, on both sides of where a zone ends.
  index.add(
    'new',
    Array.from({ length: 850 }, (_, i) => ({ entry: userEntry('word'), timeMs: 100 + i })),
  )
  index.add('new', answers(250, 1000))
  const { source } = index
  let isMoved = false
  const moving: SessionSource = {
    ...source,
    read(path, places) {
      // As when a log was replaced: what it had goes, and gets new numbers.
      if (!isMoved) index.db.sql.exec('UPDATE nodes SET docid = docid + 2000 WHERE docid <= 6')
      isMoved = true
      return source.read(path, places)
    },
  }
  const options = { limit: 500, cwd: '/p', role: 'assistant' } as const
  const { hits, pending } = await index.search('', options, { sources: new Map([['memory', moving]]) })
  expect([hits.length, pending]).toEqual([250, 1])
  expect(await index.search('', options)).toMatchObject({ hits: { length: 253 }, pending: 0 })
})

test('nodes from the future among the oldest keep nothing out and nothing out of order', async () => {
  using index = new SmallIndex()
  const times = [8e15, ...Array.from({ length: 700 }, (_, i) => 1000 + ((i * 37) % 701))]
  index.add(
    'f',
    times.map((timeMs) => ({ entry: userEntry('word'), timeMs })),
  )
  const found: (string | undefined)[] = []
  for (let after: string | undefined, pages = 0; pages === 0 || after !== undefined; pages++) {
    const page = await index.search('word', { limit: 200, after })
    found.push(...page.hits.map(({ time }) => time))
    after = page.next
  }
  expect(found).toEqual(times.toSorted((a, b) => b - a).map((time) => new Date(time).toISOString()))
})

test('an aborted search ends', async () => {
  using index = new SmallIndex()
  index.say('word')
  await expect(index.search('word', { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
})

test('R2 options that make no sense are refused with a code', async () => {
  using index = new SmallIndex()
  const wrong: readonly object[] = [
    { limit: 0 },
    { limit: 1.5 },
    { limit: '5' },
    { after: 'x' },
    { after: '1.2' },
    { after: 5 },
    { since: 'yesterday' },
    { until: '1' },
    { role: 'nobody' },
    { error: 'yes' },
    { muted: 1 },
    { cwd: 3 },
    { tool: 'x'.repeat(5000) },
  ]
  for (const options of wrong) {
    await expect(index.search('word', options), JSON.stringify(options)).rejects.toMatchObject({
      code: 'validation_failed',
    })
  }
  await expect(index.search(7 as never)).rejects.toMatchObject({ code: 'validation_failed' })
})
