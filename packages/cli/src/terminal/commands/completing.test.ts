import { describe, expect, test } from 'vitest'
import { slashCommands } from './slash-commands.ts'
import { type RecordingChat, recordingChat } from './testing/recording-chat.ts'

/** What is offered for a line that is being typed, as the whole argument that would stand there. */
async function offered(chat: RecordingChat, line: string): Promise<readonly string[]> {
  const [, name, begun] = /^\/(\S+) ([\s\S]*)$/.exec(line)!
  const { complete } = slashCommands.find((command) => command.name === name)!
  return complete === undefined ? [] : await complete(chat, begun!)
}

async function branched() {
  const chat = await recordingChat()
  const first = await chat.say('What is a tree?')
  const one = await chat.say('Tell me of oaks')
  await chat.session.branch(first[1]!)
  const two = await chat.say('Tell me of birches')
  return { chat, first, one, two }
}

const short = (id: string | undefined) => id!.slice(-8)

describe('what may follow a command', () => {
  test('nodes of the trunk, the latest first, by the ends that are shown', async () => {
    const { chat, first, two } = await branched()
    const trunk = [two[1], two[0], first[1], first[0]].map(short)
    expect(await offered(chat, '/mute ')).toEqual(trunk)
    expect(await offered(chat, `/prune ${short(two[0]).slice(0, 5)}`)).toContain(short(two[0]))
    expect(await offered(chat, `/mute ${short(two[1])} `)).toEqual(trunk.slice(1).map((id) => `${short(two[1])} ${id}`))
    expect(await offered(chat, `/prune ${short(two[1])} `)).toEqual([])
  })

  test('an id that is typed from its beginning is offered whole', async () => {
    const { chat, two } = await branched()
    expect(await offered(chat, `/label ${two[1]!.slice(0, 30)}`)).toContain(two[1])
  })

  test('labels, ends of branches, what is muted, what is in the stash', async () => {
    const { chat, one, two } = await branched()
    expect(await offered(chat, '/merge ')).toEqual(['concat', 'interleave', 'ask', short(two[1]), short(one[1])])
    expect(await offered(chat, '/merge ask ')).toEqual([`ask ${short(two[1])}`, `ask ${short(one[1])}`])
    expect(await offered(chat, '/unmute ')).toEqual([])
    await chat.slash(`/mute ${two[0]}`)
    expect(await offered(chat, '/unmute ')).toEqual([short(two[0])])
    await chat.slash(`/prune ${one[0]}`)
    expect(await offered(chat, '/stash ')).toEqual([short(one[0])])
    expect((await offered(chat, '/graft '))[0]).toBe(short(one[0]))
    expect(await offered(chat, `/graft ${short(one[0])} `)).toEqual([`${short(one[0])} under`, `${short(one[0])} back`])
    expect(await offered(chat, `/graft ${short(one[0])} under r`)).toEqual([`${short(one[0])} under root`])
    await chat.slash(`/label ${two[1]} birch`)
    expect(await offered(chat, '/go bir')).toEqual(['birch'])
  })

  test('words: formats, settings, commands, models', async () => {
    const chat = await recordingChat()
    expect(await offered(chat, '/export h')).toEqual(['html'])
    expect(await offered(chat, '/export html ')).toEqual([])
    expect(await offered(chat, '/config compaction.e')).toEqual(['compaction.enabled'])
    expect(await offered(chat, '/config compaction.enabled f')).toEqual(['compaction.enabled false'])
    expect(await offered(chat, '/help gr')).toEqual(['graft'])
    expect(await offered(chat, '/model de')).toEqual(['demo/demo'])
    expect(await offered(chat, '/fork ')).toEqual(['here'])
  })

  test('/resume offers the other sessions of this project', async () => {
    const chat = await recordingChat()
    await chat.say('What is a tree?')
    const before = chat.session.id
    await chat.slash('/new')
    await (await chat.context.index()).list({ cwd: chat.cwd, fresh: true })
    expect(await offered(chat, '/resume ')).toEqual([short(before)])
    expect(await offered(chat, `/resume ${before.slice(0, 20)}`)).toEqual([before])
  })

  test('however many nodes there are, a menu is all that is offered', async () => {
    const chat = await recordingChat()
    const message = { role: 'user' as const, content: 'x', timestamp: 1 }
    for (let i = 0; i < 30; i++) await chat.session.append({ type: 'message', message })
    expect(await offered(chat, '/mute ')).toHaveLength(20)
  })
})
