import { describe, expect, test } from 'vitest'
import { all, inEditor, isIdle, project, say, served } from '../testing/chat-terminal.ts'
import { plantHostileSession } from '../testing/hostile-session.ts'
import { hostile, hostileFileNames, hostileName } from '../testing/hostile-text.ts'
import { expectSeen, leaveUnmoved } from '../testing/unmoved.ts'
import { UserHome } from '../testing/user-home.ts'
import { minutesAgo } from './picker/testing/plant-sessions.ts'

async function opened(rows = 100) {
  const made = project()
  await plantHostileSession(made.home, made.cwd)
  return { ...made, terminal: await made.open(['-c'], { rows }) }
}

describe('K4 what others wrote drives no terminal', () => {
  test('in the transcript, folded and unfolded, and in the words at the end', async () => {
    const { terminal } = await opened()
    const FOLDED = ['prompt', 'thoughts', 'words', 'heading', 'item', 'quote', 'code', 'bold', 'link', 'cell', 'block']
    const MORE = ['typescript', 'toolname', 'argument', 'output', 'path', 'losttool', 'command', 'printed', 'problem']
    const LAST = ['branchsummary', 'custom', 'compaction', 'last', 'lastanswer', 'sessionname']
    expectSeen(terminal, [...FOLDED, ...MORE, ...LAST])
    const before = terminal.output.length
    await terminal.press('ctrl+o')
    await terminal.waitFor(() => terminal.output.length > before + 10_000)
    await terminal.waitFor(isIdle)
    expectSeen(terminal, ['/thoughts', 'minus', 'plus', '/output', '/printed'])
    await leaveUnmoved(terminal)
    expect(all(terminal)).toMatch(/Kept: “sessionname/)
  })

  test('in the lists of the tree and of what was said', async () => {
    const { terminal } = await opened(40)
    await say(terminal, '/tree')
    await terminal.waitFor(/Tree · /)
    await terminal.press('ctrl+o')
    await terminal.waitFor(/#label/)
    await terminal.press('home')
    await terminal.waitFor(/user +.*prompt/)
    await terminal.type('owned')
    await terminal.waitFor(/Search: owned/)
    await terminal.press('esc', 'esc')
    await terminal.waitFor(isIdle)
    await terminal.press('esc', 'esc')
    await terminal.waitFor(/Branch · this branch/)
    await terminal.waitFor(/(ago|now) +last/)
    await terminal.press('tab')
    await terminal.waitFor(/(ago|now) +aside/)
    await terminal.press('esc')
    await terminal.waitFor(isIdle)
    await leaveUnmoved(terminal)
  })

  test('in what the commands tell of it', async () => {
    const { terminal } = await opened(60)
    const commands = [
      ['/branches', /aside/],
      ['/line', /user .*compac/],
      ['/stash', /stashtitle/],
      ['/label', /label/],
      ['/stats', /provider/],
      ['/search owned', /sessionname/],
      ['/doctor', /./],
      ['/config', /./],
      ['/tools', /./],
      ['/name', /sessionname/],
    ] as const
    for (const [command, shown] of commands) {
      const before = terminal.output.length
      await say(terminal, command)
      await terminal.waitFor(() => terminal.output.length > before)
      await terminal.waitFor(isIdle)
      await terminal.waitFor(shown)
    }
    for (const begun of ['/mute ', '/graft ', '/go ', '/resume ', '/label ']) {
      await terminal.type(begun)
      await terminal.press('tab')
      await terminal.waitFor((screen) => !isIdle(screen))
      await terminal.press('ctrl+c')
      await terminal.waitFor(isIdle)
    }
    await leaveUnmoved(terminal)
  })

  test('in the list of sessions, those of other tools, too', async () => {
    const user = new UserHome()
    const at = minutesAgo(5)
    const words = hostile('theirprompt')
    const said = [
      { role: 'user', text: words, at },
      { role: 'assistant', text: hostile('theiranswer'), at, model: hostile('theirmodel') },
    ] as const
    user.plantPi(hostileFileNames()[0]!, `/${hostileName('theirfolder')}`, said)
    user.write('.pi/agent/sessions/--p--/broken.jsonl', `${words}\n${words}\n`)
    const { open, home, cwd } = project({ HOME: user.folder, TREELINE_DEMO_DELAY_MS: '0' })
    await plantHostileSession(home, cwd)
    const terminal = await open(['-c'], { rows: 40 })
    await say(terminal, '/resume')
    await terminal.waitFor(/^Sessions/m)
    await terminal.waitFor('lastanswer')
    await terminal.press('tab')
    await terminal.waitFor(/\[pi\] theirprompt/)
    await terminal.press('down')
    await terminal.waitFor('theiranswer')
    await terminal.press('down')
    await terminal.type('owned')
    await terminal.waitFor(/Search: owned/)
    await terminal.press('ctrl+f')
    await terminal.waitFor(/theirprompt|prompt/)
    await terminal.press('ctrl+f', 'esc')
    await terminal.type('theiranswer')
    await terminal.waitFor(/^Search: theiranswer.*1 of 1[\s\S]*^› .*theiranswer/m)
    await terminal.press('esc')
    await terminal.waitFor(/^Sessions/m)
    await terminal.type('theirprompt')
    await terminal.waitFor(/Search: theirprompt.*1 of/)
    await terminal.press('ctrl+d')
    await terminal.waitFor(/to the trash|other tool|theirs/i)
    await terminal.press('n')
    await terminal.press('enter')
    await terminal.waitFor((screen) => inEditor(screen).includes('theirprompt'))
    await terminal.press('ctrl+c')
    await terminal.waitFor(isIdle)
    await leaveUnmoved(terminal)
  })

  test('in what comes: words, thoughts, calls, questions, what tools print', async () => {
    const { open } = await served([
      {
        thinking: hostile('thought'),
        text: `${hostile('spoken')}\n\n\`\`\`sh\n${hostile('block')}\n\`\`\`\n`,
        toolCalls: [{ id: 'c0', name: hostileName('newtool'), input: { a: hostile('argument') } }],
      },
      {
        toolCalls: [
          { id: 'c1', name: 'bash', input: { command: `touch made; cat there; echo '${hostileName('echoed')}'` } },
        ],
      },
      { text: hostile('done') },
      {
        toolCalls: [
          {
            id: 'c2',
            name: 'write',
            input: { path: hostileFileNames()[0], content: hostileName('content') },
          },
        ],
      },
      { text: hostile('done') },
    ])
    const terminal = await open()
    for (const asked of [/May this run\? bash[\s\S]*y yes/, /May this run\? write[\s\S]*y yes/]) {
      await say(terminal, 'Go on')
      await terminal.waitFor(asked)
      await terminal.press('y')
      await terminal.waitFor(/done/)
      await terminal.waitFor(isIdle)
    }
    expectSeen(terminal, ['thought', 'spoken', 'block', 'newtool', 'echoed', 'content', 'done'])
    await leaveUnmoved(terminal)
  })
})
