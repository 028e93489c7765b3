import type { Random } from './random.ts'

/** Writes what people, models and tools write: mostly ASCII, with the quotes, escapes and scripts that parsers trip over. */
export interface Texts {
  prose(length: number): string
  code(length: number): string
  output(length: number): string
}

const WORDS = `the a we it this that to of in on for with and or but so not all each one when then there here now
  file test line node tree branch parser reader writer buffer index cache token session message entry record value
  returns reads writes keeps moves breaks fails passes holds checks looks makes takes gives runs opens closes parses
  function module package config schema header offset length error result because before after while until without
  should could would must can cannot does is was were has have been only also still again first last next same other`
  .trim()
  .split(/\s+/)
const RARE = [
  'naïve — “quoted”',
  'größer',
  '→ done ✓',
  '日本語のテキスト',
  'привет',
  'عربى',
  '🧪',
  '🌲 tree',
  '½ × 3 ≤ 2',
  'señal…',
]
const NAMES = ['offset', 'parentId', 'lines', 'buffer', 'entry', 'count', 'state', 'options', 'match', 'row', 'queue']
const PATHS = ['src/codec/scan.ts', 'test/reader.test.ts', 'lib\\win\\path.c', 'docs/API.md', 'packages/core/index.ts']
const POOL = 4096

export function createTexts(random: Random): Texts {
  const pool = (make: (random: Random) => string) => Array.from({ length: POOL }, () => make(random))
  const sentences = pool(makeSentence)
  const codeLines = pool(makeCodeLine)
  const outputLines = pool(makeOutputLine)
  const join = (lines: readonly string[], length: number): string => {
    let text = random.pick(lines)
    while (text.length < length) text += random.pick(lines)
    return text
  }
  return {
    prose: (length) => join(sentences, length),
    code: (length) => join(codeLines, length),
    output: (length) => join(outputLines, length),
  }
}

function makeSentence(random: Random): string {
  const words = Array.from({ length: random.int(5, 18) }, () => random.pick(WORDS))
  if (random.chance(0.03)) words.splice(random.int(0, words.length), 0, random.pick(RARE))
  if (random.chance(0.15)) words.push(`\`${random.pick(NAMES)}\``)
  return `${words.join(' ')}.${random.pick([' ', ' ', ' ', '\n', '\n\n', '\n- '])}`
}

function makeCodeLine(random: Random): string {
  const indent = '  '.repeat(random.int(0, 4))
  const [a, b] = [random.pick(NAMES), random.pick(NAMES)]
  const statement = random.pick([
    `const ${a} = ${b}.map((item) => item.${a})`,
    `if (${a} === "${b}") return { ${a}: "${b}", type: "${a}" }`,
    `throw new Error(\`no ${a} in \${${b}}: "\\n" expected\`)`,
    `// ${random.pick(WORDS)} ${random.pick(WORDS)} ${random.pick(WORDS)}${random.chance(0.02) ? ` ${random.pick(RARE)}` : ''}`,
    `\tprintf("%s\\t%d\\n", ${a}, ${random.int(0, 9999)});`,
    `}`,
  ])
  return `${indent}${statement}\n`
}

function makeOutputLine(random: Random): string {
  const path = random.pick(PATHS)
  return random.pick([
    `${path}:${random.int(1, 900)}:${random.int(1, 80)}: ${random.pick(WORDS)} ${random.pick(WORDS)} "${random.pick(NAMES)}"\n`,
    `\u001b[32mok\u001b[39m ${path} (${random.int(1, 99)} tests) ${random.int(1, 4000)}ms\n`,
    `-rw-r--r-- 1 dev dev ${random.int(100, 99999)} Jan ${random.int(1, 28)} 10:0${random.int(0, 9)} ${path}\n`,
    `{"level":"info","file":"${path}","ms":${random.int(1, 5000)}}\n`,
    `${random.int(1, 999)}\t${makeCodeLine(random)}`,
    `${random.pick(WORDS)} ${random.pick(WORDS)}: ${random.pick(NAMES)}=${random.int(0, 1_000_000)}${random.chance(0.02) ? random.pick(RARE) : ''}\n`,
  ])
}
