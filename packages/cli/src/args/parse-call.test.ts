import { expect, test } from 'vitest'
import { defineCommand } from './command.ts'
import { nearest } from './nearest.ts'
import { parseCall } from './parse-call.ts'
import { splitWords } from './split-words.ts'

const command = defineCommand({
  positionals: [
    { name: 'FILE', help: 'the session' },
    { name: 'NODE', help: 'the node', optional: true },
  ],
  options: {
    subtree: { type: 'boolean', help: 'all below' },
    format: { type: 'string', short: 'f', choices: ['pi', 'html'], help: 'what' },
    tag: { type: 'string', multiple: true, help: 'tags' },
    resume: { type: 'string', short: 'r', optionalValue: true, help: 'which' },
  },
  examples: [['treeline x', 'x']],
  json: '{}',
  run: async () => 0,
})

test('words and options are told apart in any order', () => {
  const { args, options } = parseCall('x', command, [
    '--subtree',
    'a',
    '-f',
    'pi',
    'b',
    '--tag=1',
    '--tag',
    '2',
    '--json',
  ])
  expect(args).toEqual(['a', 'b'])
  expect(options).toMatchObject({ subtree: true, format: 'pi', tag: ['1', '2'], json: true })
  expect(parseCall('x', command, ['--', '--subtree']).args).toEqual(['--subtree'])
})

test.each([
  [['a', '-r'], ''],
  [['-r', '--subtree', 'a'], ''],
  [['a', '--resume', '-f', 'pi'], ''],
  [['a', '--resume'], ''],
  [['-r', 'b', 'a'], 'b'],
  [['a', '--resume=b', '--subtree'], 'b'],
  [['-rb', 'a'], 'b'],
])('an option may do without a value at the end and before another option: %j', (words, value) => {
  const { args, options } = parseCall('x', command, words)
  expect(args).toEqual(['a'])
  expect(options.resume).toBe(value)
  // Behind the two dashes there are no options.
  expect(parseCall('x', command, ['--', '-r']).options.resume).toBeUndefined()
})

test.each([
  [[], 'FILE is missing: the session.'],
  [['a', 'b', 'c'], '"c" is one word too many.'],
  [['a', '--subtre'], 'There is no option --subtre; did you mean --subtree?'],
  [['a', '--zzz'], 'There is no option --zzz.'],
  [['a', '-z'], 'There is no option -z.'],
  [['a', '--format', 'pdf'], '--format takes pi, html; not "pdf".'],
  [['a', '--format'], "Option '-f, --format <value>' argument missing."],
  [['a', '--subtree=yes'], "Option '--subtree' does not take an argument."],
])('R2 %j is refused: %s', (words, message) => {
  expect(() => parseCall('x', command, words)).toThrow(`${message} \`treeline x --help\``)
})

test('--help is answered whatever else is missing', () => {
  expect(parseCall('x', command, ['--help']).options.help).toBe(true)
})

test('the nearest known word is the one with the fewest slips, and none when all are far', () => {
  const known = ['search', 'scrub', 'show', 'switch']
  expect(['serach', 'sho', 'swich', 'scurb'].map((word) => nearest(word, known))).toEqual([
    'search',
    'show',
    'switch',
    'scrub',
  ])
  expect(nearest('purge', known)).toBeUndefined()
  expect(nearest('x'.repeat(100_000), known)).toBeUndefined()
})

test('common options may stand before the command', () => {
  expect(splitWords(['--json', '--home', 'ls', 'tree', 'x'])).toEqual({
    command: 'tree',
    rest: ['--json', '--home', 'ls', 'x'],
  })
  expect(splitWords(['--color=never', 'ls'])).toEqual({ command: 'ls', rest: ['--color=never'] })
  expect(splitWords(['--version']).command).toBeUndefined()
})
