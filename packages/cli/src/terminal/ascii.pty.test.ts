import { expect, test } from 'vitest'
import { all, isIdle, say, served } from '../testing/chat-terminal.ts'

const ANSWER = [
  '# Tea',
  '',
  '- one',
  '- two',
  '',
  '> quoted',
  '',
  '```ts',
  `const kettle = '${'on'.repeat(60)}'`,
  '```',
  '',
  '| a | b |',
  '|---|---|',
  '| 1 | 2 |',
  '',
  '---',
  '',
  'The end.',
].join('\n')

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for.
const NOT_ASCII = /[^\u0000-\u007f]/

test('without Unicode every character of ours is ASCII, on every screen', async () => {
  const { open } = await served([
    { thinking: `Hot water first. ${'Then tea. '.repeat(20)}`, text: ANSWER },
    {
      toolCalls: [
        { id: 'c1', name: 'bash', input: { command: Array(40).fill('echo long enough to wrap').join(' && ') } },
      ],
    },
    { text: 'Done.' },
  ])
  const terminal = await open({ env: { LANG: 'C', LC_ALL: 'C' } })
  const look = () => expect(terminal.screen().filter((row) => NOT_ASCII.test(row))).toEqual([])
  look()
  await say(terminal, 'Tell me')
  await terminal.waitFor('The end.')
  await terminal.waitFor(isIdle)
  look()
  await say(terminal, 'Run it')
  await terminal.waitFor(/n no/)
  look()
  await terminal.press('y')
  await terminal.waitFor('Done.')
  await terminal.waitFor(isIdle)
  for (const [command, shown] of [
    ['/help', '/quit'],
    ['/line', 'tokens ('],
    ['/stats', 'answers'],
    ['/help nosuch', 'no command'],
    ['/name Kettle', 'Kettle'],
  ] as const) {
    await say(terminal, command)
    await terminal.waitFor(shown)
    await terminal.waitFor(isIdle)
    look()
  }
  for (const keys of [['esc', 'esc'], ['ctrl+t'], ['ctrl+r']] as const) {
    await terminal.press(...keys)
    await terminal.waitFor((screen) => !screen.some((row) => /^> Ask something/.test(row)))
    look()
    await terminal.press('esc')
    await terminal.waitFor(isIdle)
  }
  for (const [open, shown] of [
    ['/resume', /^Sessions/m],
    ['/fork', /^Fork before/m],
  ] as const) {
    await say(terminal, open)
    await terminal.waitFor(shown)
    look()
    await terminal.press('esc')
    await terminal.waitFor(isIdle)
  }
  // The dialogs: a line in the tree, a choice when a branch is left, a line behind it, and a choice of a command.
  await terminal.press('ctrl+t')
  await terminal.waitFor(/^Tree/m)
  await terminal.send('\u001bl')
  await terminal.waitFor('Label (empty takes it away)')
  look()
  await terminal.press('esc')
  await terminal.waitFor((screen) => !screen.join('\n').includes('Label (empty'))
  await terminal.press('home', 'enter')
  await terminal.waitFor(/Sum them up for the model\?/)
  look()
  await terminal.press('i')
  await terminal.waitFor('What should the summary see to?')
  look()
  await terminal.press('esc', 'esc')
  await terminal.waitFor(/^Tree/m)
  await terminal.press('esc')
  await terminal.waitFor(isIdle)
  for (const answer of ['Written:', 'Overwrite it?']) {
    await say(terminal, '/export chat.md')
    await terminal.waitFor(answer)
    look()
  }
  await terminal.press('n')
  await terminal.waitFor('Nothing was written.')
  await terminal.waitFor(isIdle)
  await terminal.press('ctrl+o')
  await terminal.waitFor(isIdle)
  await terminal.press('ctrl+d')
  await terminal.exit()
  const rows = all(terminal).split('\n')
  expect(rows.filter((row) => NOT_ASCII.test(row))).toEqual([])
  expect(rows.join('\n')).toContain('Kept')
})
