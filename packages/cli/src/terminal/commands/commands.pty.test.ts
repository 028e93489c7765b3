import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { all, ask, inEditor, isIdle, project, say } from '../../testing/chat-terminal.ts'
import type { Terminal } from '../../testing/terminal.ts'
import { slashCommands } from './slash-commands.ts'

/** Which commands were typed. */
const run = new Set<string>()

/** Types a command, waits for what it says and until the chat takes the next. */
async function command(terminal: Terminal, line: string, answer: string | RegExp): Promise<string> {
  run.add(/^\/(\w+)/.exec(line)![1]!)
  await say(terminal, line)
  const screen = await terminal.waitFor(answer)
  await terminal.waitFor(isIdle)
  return screen.join('\n')
}

/** The same for one that opens a list, which is looked at and closed. */
async function view(terminal: Terminal, line: string, headline: string | RegExp): Promise<void> {
  run.add(/^\/(\w+)/.exec(line)![1]!)
  await say(terminal, line)
  await terminal.waitFor(headline)
  await terminal.press('esc')
  await terminal.waitFor(isIdle)
}

const idIn = (text: string, pattern: RegExp) => pattern.exec(text)![1]!

test('every command does what it says, in one chat', async () => {
  const { open, cwd } = project()
  const terminal = await open()

  // With nothing said yet, each tells what to do.
  await command(terminal, '/stash', 'The stash is empty. /prune puts things there')
  await command(terminal, '/branches', 'Nothing has been said here yet')
  await command(terminal, '/name', '/name NAME gives it one')
  await command(terminal, '/undo', 'no edit of yours left to undo')

  await ask(terminal, 'What is a tree?')
  await ask(terminal, 'Tell me of oaks')

  // The tree.
  await view(terminal, '/tree', 'Esc close')
  await view(terminal, '/branch', /Branch .*this branch.*1 of 2/)
  await command(terminal, '/label oaks', /Labelled \S+ "oaks"\./)
  await command(terminal, '/mute', /Muted 2 nodes\./)
  await command(terminal, '/line', /out .*muted .*Tell me of oaks/)
  await command(terminal, '/unmute', /Unmuted 2 nodes\./)
  await command(terminal, '/undo', 'Undone: unmute 2 nodes.')
  await command(terminal, '/redo', 'Redone: unmute 2 nodes.')
  const pruned = await command(terminal, '/prune', /put them into the stash: \w+\./)
  const stashed = idIn(pruned, /into the stash: (\w+)\./)
  await command(terminal, '/stash', new RegExp(`${stashed} +2 +just now +Tell me of oaks`))
  await command(terminal, `/stash ${stashed}`, /2 nodes, cut off just now below/)
  await ask(terminal, 'Tell me of birches')
  const grafted = await command(terminal, `/graft ${stashed} back`, /hangs under \w+ now/)
  const end = idIn(grafted, /\/go (\w+) goes/)
  const listed = await command(terminal, '/branches', /\* +\w+ +4 +just now/)
  expect(listed).toMatch(/^ +\w+ +4 +just now +oaks +I am/m)
  await command(terminal, `/merge concat ${end}`, 'Merged 2 branches into')
  await command(terminal, `/go ${end}`, 'You said: “Tell me of oaks”')

  // What the model gets, and how it works.
  await command(terminal, '/compact keep the oaks', /Summed up \d+ messages, \d+ kept as they are: about .* tokens\./)
  await command(terminal, '/undo', 'Undone: ')
  await command(terminal, '/thinking low', /Thinking: low\. demo\/demo knows/)
  await command(terminal, '/mode autoEdit', 'Mode autoEdit: edits inside the project run too.')
  await command(terminal, '/model', /\* +demo\/demo +32\.0k/)
  await command(terminal, '/tools', /bash +runs +Run a command/)
  await command(terminal, '/stats', /6 messages, 0 tool calls, \d answers/)
  await command(terminal, '/config maxSteps 9', 'Written. From the next start on maxSteps is 9.')
  await command(terminal, '/config', 'Yours are in')
  expect(all(terminal)).toMatch(/^\* +maxSteps +200 +the start$/m)
  await command(terminal, '/doctor', 'Sound: 1 session in')
  await command(terminal, '/help', /\/quit +leave/)
  for (const { name } of slashCommands) expect(all(terminal)).toMatch(new RegExp(`^/${name}\\b.* {2,}\\w`, 'm'))
  await command(terminal, '/keys', /Esc Esc +goes back/)
  await command(terminal, '/copy 99', 'There are not so many answers here.')

  // Sessions.
  await command(terminal, '/name Trees and so on', 'Named "Trees and so on".')
  await command(terminal, '/export md', 'Written: ')
  expect(readdirSync(cwd).filter((name) => name.endsWith('.md'))).toHaveLength(1)
  const found = await command(terminal, '/search birches', '/go NODE goes to one in this session.')
  const [session, hit] = [idIn(found, /^(\w+) +treeline Trees/m), idIn(found, /^ +(\w+) +user/m)]
  await command(terminal, '/new', `A new session. The one before: /resume ${session}`)
  await view(terminal, '/resume', 'Trees and so on')
  await command(terminal, `/resume ${session}`, 'Here it goes on.')
  run.add('fork')
  await say(terminal, '/fork')
  await terminal.waitFor(/Fork before .*this branch/)
  await terminal.press('enter')
  await terminal.waitFor((screen) => inEditor(screen) === 'Tell me of oaks')
  await terminal.waitFor(/Forked: \w+ with \d+ entries/)
  await terminal.press('ctrl+u')
  await terminal.waitFor(isIdle)
  run.add('go')
  await say(terminal, `/go ${session} ${hit}`)
  await terminal.waitFor((screen) => inEditor(screen) === 'Tell me of birches')
  await terminal.press('ctrl+u')
  await terminal.waitFor(isIdle)

  // And what nobody knows.
  await say(terminal, '/forkk and more')
  await terminal.waitFor('There is no command /forkk. Did you mean /fork?')
  await terminal.waitFor((screen) => inEditor(screen) === '/forkk and more')
  await terminal.press('ctrl+u')
  await terminal.waitFor(isIdle)
  run.add('quit')
  await say(terminal, '/quit')
  expect(await terminal.exit()).toBe(0)
  const names = slashCommands.map(({ name }) => name)
  expect(names.filter((name) => !run.has(name))).toEqual([])
}, 60_000)
