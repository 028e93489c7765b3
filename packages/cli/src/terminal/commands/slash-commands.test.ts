import { readFileSync } from 'node:fs'
import { openMemoryStore } from '@treeline/store'
import { describe, expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '../../testing/run-treeline.ts'
import { runSlash } from './run-slash.ts'
import { slashCommands } from './slash-commands.ts'
import { type RecordingChat, recordingChat } from './testing/recording-chat.ts'
import { lastExchange } from './trunk-nodes.ts'

/** A chat with two branches under one first exchange; the leaf is at the end of the second. */
async function branched(): Promise<{ chat: RecordingChat; first: readonly string[]; one: string; two: string }> {
  const chat = await recordingChat()
  const first = await chat.say('What is a tree?')
  const [, one] = await chat.say('Tell me of oaks')
  await chat.session.branch(first[1]!)
  const [, two] = await chat.say('Tell me of birches')
  return { chat, first, one: one!, two: two! }
}

/** The ids of the last prompt of the trunk and what came of it. */
const lastPrompt = ({ session }: RecordingChat) => lastExchange(session)

describe('what is typed', () => {
  test('an unknown command is refused with the nearest one, and nothing typed is lost', async () => {
    const chat = await recordingChat()
    expect(await chat.refused('/forkk')).toBe('There is no command /forkk. Did you mean /fork?')
    expect(chat.editor).toBe('')
    expect(await chat.refused('/etc/hosts looks odd to me')).toContain(
      'There is no command /etc/hosts. /help lists them.',
    )
    expect(chat.editor).toBe('/etc/hosts looks odd to me')
    expect(await chat.refused('/')).toContain('/help')
  })

  test('errors are shown and never thrown', async () => {
    const chat = await recordingChat()
    expect(await chat.refused('/undo')).toContain('no edit of yours left to undo')
    expect(await chat.refused('/mute nowhere')).toBe('Nothing has been said here yet.')
    expect(await chat.refused('/resume nowhere')).toContain('nowhere')
    await chat.session.close()
    await expect(runSlash(chat, '/line')).resolves.toBeUndefined()
  })

  test('/help lists every command, or one', async () => {
    const chat = await recordingChat()
    const help = await chat.slash('/help')
    for (const { name, help: what } of slashCommands)
      expect(
        help.split('\n').some((line) => line.startsWith(`/${name}`) && line.endsWith(what())),
        name,
      ).toBe(true)
    expect(await chat.slash('/help /undo')).toContain('take back')
    expect(await chat.refused('/help nothing')).toContain('no command /nothing')
  })

  test('every line of an answer fits the terminal', async () => {
    const { chat } = await branched()
    for (const line of [
      '/help',
      '/branches',
      '/tools',
      '/line',
      '/stats',
      '/model',
      '/search tree',
      '/config',
      '/doctor',
      '/mode',
      '/keys',
    ]) {
      const wide = (await chat.slash(line)).split('\n').filter((text) => text.length > 80)
      expect(wide, line).toEqual([])
    }
  })
})

describe('sessions', () => {
  test('/new begins another, /resume goes back', async () => {
    const chat = await recordingChat()
    await chat.say('Remember me')
    const before = chat.session.id
    expect(await chat.slash('/new')).toContain(`/resume ${before.slice(-8)}`)
    expect(chat.session.id).not.toBe(before)
    expect(chat.session.leafId).toBeNull()
    await chat.slash('/resume')
    expect(chat.opened).toEqual(['sessions'])
    await chat.slash(`/resume ${before.slice(-8)}`)
    expect(chat.session.id).toBe(before)
    expect(await chat.slash(`/resume ${before.slice(-8)}`)).toBe('You are in it.')
  })

  test('/resume of another project asks; the fork is a copy, and that session stays as it is', async () => {
    const chat = await recordingChat()
    const elsewhere = tempFolder()
    const store = await chat.context.store()
    const other = await store.create({ cwd: elsewhere })
    await other.append({ type: 'message', message: { role: 'user', content: 'Far away', timestamp: 1 } })
    await other.close()
    const before = readFileSync(other.path, 'utf8')
    chat.answers = ['f']
    const here = chat.session.id
    chat.answers = ['b', 'g', 'f']
    await chat.slash(`/resume ${other.path}`)
    expect(await chat.slash(`/resume ${other.path}`)).toContain(`cd ${elsewhere} && treeline -r`)
    expect(chat.session.id).toBe(here)
    expect(await chat.slash(`/resume ${other.path}`)).toContain('a copy of it')
    expect(chat.session.header).toMatchObject({ cwd: chat.cwd, parentSession: other.id })
    expect(readFileSync(other.path, 'utf8')).toBe(before)
  })

  test('/fork goes on in a copy of this branch', async () => {
    const { chat, two, one } = await branched()
    const before = chat.session.id
    expect(await chat.slash('/fork here')).toContain('Forked')
    expect(chat.session.header.parentSession).toBe(before)
    expect(chat.session.tree.ids.find(two)).toBeGreaterThan(0)
    expect(await chat.session.readEntry(one)).toBeUndefined()
  })

  test('M10 /fork lists the prompts; the fork ends before the one that is picked, which comes into the editor', async () => {
    const { chat, first, two } = await branched()
    const before = chat.session
    await chat.slash('/fork')
    expect(chat.opened).toEqual(['fork'])
    const [prompt] = lastPrompt(chat)
    await chat.slash(`/fork ${prompt}`)
    expect(chat.session.header.parentSession).toBe(before.id)
    expect(chat.session.leafId).toBe(first[1])
    expect(await chat.session.readEntry(two)).toBeUndefined()
    expect(chat.editor).toBe('Tell me of birches')
  })

  test('M10 /fork of the first prompt begins with nothing, /fork of an answer ends with it', async () => {
    const { chat, first } = await branched()
    await chat.slash(`/fork ${first[1]}`)
    expect(chat.session.leafId).toBe(first[1])
    expect(chat.editor).toBe('')
    await chat.slash(`/fork ${first[0]}`)
    expect(chat.session.leafId).toBeNull()
    expect(chat.editor).toBe('What is a tree?')
    expect(await chat.refused('/fork')).toBe('Nothing has been said here yet.')
  })

  test('with --no-session nothing is kept by /new and /fork', async () => {
    const memory = await openMemoryStore()
    onTestFinished(() => memory.close())
    const chat = await recordingChat({ openSession: (cwd) => memory.create({ cwd }) })
    await chat.say('Leave no trace')
    expect(await chat.refused('/fork')).toContain('--no-session')
    await chat.slash('/new')
    expect(chat.session.leafId).toBeNull()
    expect(await (await chat.context.store()).list()).toEqual([])
  })

  test('/name gives and shows a name', async () => {
    const chat = await recordingChat()
    expect(await chat.slash('/name')).toContain('no name yet')
    expect(await chat.slash('/name  Trees and so on ')).toBe('Named "Trees and so on".')
    expect(chat.session.name).toBe('Trees and so on')
  })

  test('/search finds what was said in any session', async () => {
    const { chat } = await branched()
    const id = chat.session.id.slice(-8)
    await chat.slash('/new')
    const found = await chat.slash('/search birches')
    expect(found).toContain(id)
    expect(found).toContain('Tell me of birches')
    expect(found).toContain('/go SESSION NODE goes to one in another session')
    expect(await chat.slash('/search marzipan')).toContain('Nothing says that')
    expect(await chat.refused('/search')).toContain('Give words')
  })
})

describe('the tree', () => {
  test('/tree and /branch open their views, /branches lists the ends', async () => {
    const { chat, one, two } = await branched()
    await chat.slash('/tree')
    await chat.slash('/branch')
    expect(chat.opened).toEqual(['tree', 'branch'])
    const lines = (await chat.slash('/branches')).split('\n')
    expect(lines).toHaveLength(4)
    expect(lines[1]).toMatch(new RegExp(`^\\*.*${two.slice(-8)}`))
    expect(lines[2]).toContain(one.slice(-8))
  })

  test('/label takes the last node, or the one that is named', async () => {
    const { chat, one, two } = await branched()
    const labelOf = (id: string) => chat.session.tree.edits.labels.get(id)?.label
    await chat.slash('/label bad idea')
    expect(labelOf(two)).toBe('bad idea')
    await chat.slash(`/label ${one.slice(-8)} oaks`)
    expect(labelOf(one)).toBe('oaks')
    expect(await chat.slash(`/label ${one}`)).toContain('Took the label')
    expect(labelOf(one)).toBeUndefined()
    expect(await chat.slash(`/label ${one}`)).toContain('has no label')
    expect(await chat.refused('/label')).toContain('Give a label')
  })

  test('/label after a change of model still labels what was said', async () => {
    const { chat, two } = await branched()
    await chat.slash('/model demo/demo')
    await chat.slash('/label here')
    expect(chat.session.tree.edits.labels.get(two)?.label).toBe('here')
  })

  test('/mute leaves the last exchange out; /undo, /redo and /unmute do what they say', async () => {
    const { chat } = await branched()
    const said = async () => JSON.stringify((await chat.session.line()).messages)
    const { reloads } = chat
    expect(await chat.slash('/mute')).toMatch(/^Muted 2 nodes\. The line: .*\/undo/)
    expect(chat.reloads).toBe(reloads + 1)
    expect(await said()).not.toContain('birches')
    expect(await said()).toContain('What is a tree?')
    expect(await chat.slash('/mute')).toContain('Already muted')
    expect(await chat.slash('/undo')).toBe('Undone: mute 2 nodes.')
    expect(await said()).toContain('birches')
    expect(await chat.slash('/redo')).toBe('Redone: mute 2 nodes.')
    expect(await said()).not.toContain('birches')
    expect(await chat.slash('/unmute')).toContain('Unmuted 2 nodes')
    expect(await said()).toContain('birches')
  })

  test('/mute NODE takes only that', async () => {
    const { chat, first } = await branched()
    expect(await chat.slash(`/mute ${first[0]}`)).toContain('Muted 1 node.')
    expect(await chat.slash('/line')).toMatch(/out .*muted .*What is a tree\?/)
  })

  test('/merge brings two branches together, and one alone with where one is', async () => {
    const { chat, one, two } = await branched()
    expect(await chat.slash(`/merge ${one.slice(-8)} ${two.slice(-8)}`)).toContain('Merged 2 branches')
    expect(JSON.stringify((await chat.session.line()).messages)).toMatch(/oaks.*birches/)
    expect(await chat.slash('/undo')).toContain('Undone')
    await chat.session.branch(two)
    expect(await chat.slash(`/merge ask ${one}`)).toContain('Merged 2 branches')
    expect(await chat.refused('/merge')).toContain('/merge ID ID')
  })
})

describe('what the model gets', () => {
  test('/compact tells in two lines what it did, and /undo takes it back', async () => {
    const chat = await recordingChat()
    expect(await chat.slash('/compact')).toContain('too little to sum up')
    for (let i = 0; i < 6; i++) await chat.say(`Part ${i}: ${'many words about trees '.repeat(350)}`)
    const before = chat.session.leafId
    const told = (await chat.slash('/compact keep the oaks')).split('\n')
    expect(told).toHaveLength(2)
    expect(told[0]).toMatch(/^Summed up \d+ messages, \d+ kept as they are: about [\d.,]+k? → [\d.,]+k? tokens/)
    expect(await chat.slash('/line')).toContain('in a summary')
    await chat.slash('/undo')
    expect(chat.session.leafId).toBe(before)
    expect(await chat.slash('/line')).not.toContain('in a summary')
  })

  test('/line shows each message with its size, and the sum', async () => {
    const { chat } = await branched()
    const line = await chat.slash('/line')
    expect(line).toMatch(/system +[\d,]+/)
    expect(line).toMatch(/user +\d+ +Tell me of birches/)
    expect(line).toMatch(/5 messages, about [\d.,]+k? of .* tokens \(\d+ %\), .*for demo\/demo; 0 nodes out/)
  })

  test('/stats counts this session', async () => {
    const { chat } = await branched()
    expect(await chat.slash('/stats')).toMatch(/^6 messages, 0 tool calls, 3 answers, 2 branches\n.* tokens in/)
  })
})

describe('how it works', () => {
  test('/model lists who can be asked, takes one, and refuses one without a key', async () => {
    const chat = await recordingChat()
    expect(await chat.slash('/model')).toMatch(/\* +demo\/demo/)
    expect(await chat.slash('/model demo/demo')).toBe('demo/demo answers from here on.')
    expect((await chat.session.line()).state.models.default).toBe('demo/demo')
    expect(await chat.refused('/model anthropic/claude-sonnet-5-5')).toContain('ANTHROPIC_API_KEY')
    expect(await chat.refused('/model what')).toContain('names no model')
    expect((await chat.session.line()).state.models.default).toBe('demo/demo')
  })

  test('/thinking and /mode are kept in the session', async () => {
    const chat = await recordingChat()
    expect(await chat.slash('/thinking HIGH')).toContain('Thinking: high.')
    expect((await chat.session.line()).state.thinkingLevel).toBe('high')
    expect(await chat.slash('/thinking')).toContain('Thinking: high.')
    expect(await chat.refused('/thinking hard')).toContain('off, minimal')
    expect(await chat.slash('/mode autoedit')).toContain('Mode autoEdit')
    expect(chat.session.config.approvalMode).toBe('autoEdit')
    expect(await chat.refused('/mode yolo')).toContain('everything runs unasked')
    expect(await chat.refused('/mode fast')).toContain('default, autoEdit, yolo')
    expect(await chat.slash('/mode')).toContain('/mode autoEdit')
  })

  test('/tools lists them, /quit leaves', async () => {
    const chat = await recordingChat()
    expect(await chat.slash('/tools')).toMatch(/bash +runs/)
    await chat.slash('/quit')
    expect(chat.hasQuit).toBe(true)
  })
})
