import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createOutput } from './output.ts'
import { createProgressBar } from './progress.ts'
import { safeJson } from './safe-json.ts'
import { shellWord } from './shell-word.ts'
import { paint, render, unpaint } from './style.ts'
import { table, widthOf } from './table.ts'

/** All that could drive a terminal or turn round what is read. */
const HOSTILE = [
  'a\u001b]52;c;ZXZpbA==\u0007b',
  'a\u001b[2J\u001b[1;31mb',
  'a\u009b31mb\u009d0;title\u009cc',
  'safe\rhidden',
  'evil\u202etxt.exe\u2066\u2069\u200f',
  'a\u0000\u0008\u007f\u0085b',
  'mark\u{f0000}[bad]text\u{f0001}[bad]',
  'lone\ud800surrogate',
]
const DRIVING = /(?![\n\t])\p{Cc}|\p{Bidi_Control}|\p{Surrogate}/u

function sink() {
  const chunks: string[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk.toString('utf8'))
      done()
    },
  })
  return { stream, text: () => chunks.join('') }
}

test.each(HOSTILE)('K4 %j drives nothing, printed, in a table, as a note, or as JSON', (text) => {
  const [stdout, stderr] = [sink(), sink()]
  const out = createOutput({ stdout: stdout.stream, stderr: stderr.stream, isJson: false, env: {} })
  out.print(text)
  out.print(paint('bad', text))
  out.note(text)
  for (const line of table([{ title: text }, { title: 'x', flexible: true }], [[text, text]], 60)) out.print(line)
  expect(stdout.text() + stderr.text()).not.toMatch(DRIVING)
  const json = safeJson({ [text]: text })
  expect(json).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u)
  expect(JSON.parse(json)).toEqual({ [text]: text })
})

test('K4 nobody can say our styles: what looks like a mark stays text', () => {
  expect(render('\u{f0000}[bad]red\u{f0001}[bad]', true)).not.toContain('\u001b')
  expect(render(paint('bad', 'red'), true)).toBe('\u001b[31mred\u001b[39m')
  expect(render(paint('bad', 'red'), false)).toBe('red')
  expect(unpaint(paint('bad', 'red'))).toBe('red')
})

test('colours follow the terminal, NO_COLOR, FORCE_COLOR and --color', () => {
  const coloured = (isTTY: boolean, env: Record<string, string>, colour?: boolean) => {
    const stdout = sink()
    const out = createOutput({
      stdout: Object.assign(stdout.stream, { isTTY }),
      stderr: sink().stream,
      isJson: false,
      colour,
      env,
    })
    out.print(paint('good', 'x'))
    return stdout.text() !== 'x\n'
  }
  expect(coloured(true, {})).toBe(true)
  expect(coloured(false, {})).toBe(false)
  expect(coloured(true, { NO_COLOR: '1' })).toBe(false)
  expect(coloured(true, { TERM: 'dumb' })).toBe(false)
  expect(coloured(false, { FORCE_COLOR: '1' })).toBe(true)
  expect(coloured(false, { NO_COLOR: '1' }, true)).toBe(true)
})

test('with --json nothing but the document is on standard output', () => {
  const stdout = sink()
  const out = createOutput({ stdout: stdout.stream, stderr: sink().stream, isJson: true, env: {} })
  out.print('words')
  out.json({ a: 1 })
  expect(stdout.text()).toBe('{"a":1}\n')
})

test('a table is no wider than the terminal, whatever script its cells are in', () => {
  const columns = [{ title: 'id' }, { title: 'what', flexible: true }, { title: 'n', align: 'right' }] as const
  const lines = [
    ...table(
      columns,
      [
        ['1', '漢字'.repeat(60), '5'],
        ['22', 'short', '1,000'],
      ],
      60,
    ),
  ]
  for (const line of lines) expect(widthOf(unpaint(line))).toBeLessThanOrEqual(60)
  expect(unpaint(lines[1]!)).toMatch(/…/)
  expect(unpaint(lines[2]!)).toMatch(/^22 {2}short +1,000$/)
})

test('progress is for people who watch: elsewhere not a byte', () => {
  const stderr = sink()
  const bar = createProgressBar(stderr.stream, 'Reading')
  bar.update(1, 2)
  bar.end()
  expect(stderr.text()).toBe('')
})

test('suggested words can be pasted into a shell', () => {
  expect(['a/b.jsonl', "it's", '$HOME', '-x', 'a b'].map(shellWord)).toEqual([
    'a/b.jsonl',
    "'it'\\''s'",
    "'$HOME'",
    "'-x'",
    "'a b'",
  ])
})
