import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMemoryStore } from '@treeline/store'
import { describe, expect, onTestFinished, test } from 'vitest'
import { recordingChat } from './testing/recording-chat.ts'

describe('/export', () => {
  test('writes a page into the project and tells where; a second one goes beside it', async () => {
    const chat = await recordingChat()
    await chat.say('What is a tree?')
    const name = chat.session.id.slice(-8)
    const told = await chat.slash('/export')
    expect(chat.shown[0]).toContain(`Written: ${join(chat.cwd, `${name}.html`)}`)
    expect(told).toContain('Read the file before you share it')
    expect(readFileSync(join(chat.cwd, `${name}.html`), 'utf8')).toContain('What is a tree?')
    expect(statSync(join(chat.cwd, `${name}.html`)).mode & 0o077).toBe(0)
    await chat.slash('/export html')
    expect(chat.shown[0]).toContain(`${name}-2.html`)
  })

  test('takes a format, a file, or both', async () => {
    const chat = await recordingChat()
    await chat.say('What is a tree?')
    expect(await chat.slash('/export md')).toContain('.md\n')
    await chat.slash('/export my notes.md')
    expect(readFileSync(join(chat.cwd, 'my notes.md'), 'utf8')).toContain('What is a tree?')
    await chat.slash('/export json all.txt')
    expect(JSON.parse(readFileSync(join(chat.cwd, 'all.txt'), 'utf8'))).toBeTypeOf('object')
  })

  test('a file that is there is overwritten only by who says so', async () => {
    const chat = await recordingChat()
    await chat.say('What is a tree?')
    const path = join(chat.cwd, 'notes.md')
    writeFileSync(path, 'mine')
    chat.answers = ['n']
    expect(await chat.slash('/export notes.md')).toBe('Nothing was written.')
    // Esc.
    expect(await chat.slash('/export notes.md')).toBe('Nothing was written.')
    expect(readFileSync(path, 'utf8')).toBe('mine')
    chat.answers = ['y']
    expect(await chat.slash('/export notes.md')).toContain('Written')
    expect(readFileSync(path, 'utf8')).toContain('What is a tree?')
  })

  test('refuses the session itself, a format nobody knows, and a folder that is not there', async () => {
    const chat = await recordingChat()
    await chat.say('What is a tree?')
    const before = readFileSync(chat.session.path, 'utf8')
    expect(await chat.refused(`/export ${chat.session.path}`)).toContain('is the session itself')
    expect(readFileSync(chat.session.path, 'utf8')).toBe(before)
    expect(await chat.refused('/export docx')).toContain('Formats: jsonl, pi')
    expect(await chat.refused('/export nowhere/chat.md')).toContain('There is no folder')
    expect(readdirSync(chat.cwd)).toEqual([])
  })
})

describe('/doctor', () => {
  test('a sound home is told in two lines', async () => {
    const chat = await recordingChat()
    await chat.say('What is a tree?')
    const told = await chat.slash('/doctor')
    expect(chat.shown[0]).toMatch(/^This session is sound: \d+ entries can be read, [\d.]+ KB\.$/)
    expect(told).toMatch(/^Sound: 1 session in /)
  })

  test('damage is told with what to do, and nothing is changed', async () => {
    const chat = await recordingChat()
    await chat.say('What is a tree?')
    const { path } = chat.session
    const whole = readFileSync(path, 'utf8')
    writeFileSync(path, whole.replace('"role":"user"', '"role":"us'))
    const damaged = readFileSync(path, 'utf8')
    const told = await chat.refused('/doctor')
    expect(told).toContain('This session is damaged')
    expect(told).toContain(`treeline repair ${chat.session.id.slice(-8)}`)
    expect(told).toContain('Damaged: 1 session in')
    expect(readFileSync(path, 'utf8')).toBe(damaged)
  })

  test('with --no-session there is no file to check, but a home', async () => {
    const memory = await openMemoryStore()
    onTestFinished(() => memory.close())
    const chat = await recordingChat({ openSession: (cwd) => memory.create({ cwd }) })
    expect(await chat.slash('/doctor')).toContain('Sound: 0 sessions in')
    expect(chat.shown[0]).toContain('no file to check')
  })
})

describe('/config', () => {
  test('lists the settings in force and where they come from', async () => {
    const chat = await recordingChat()
    const all = await chat.slash('/config')
    expect(all).toMatch(/^ +approvalMode +default +default$/m)
    expect(all).toMatch(/^ +compaction.enabled +true +default$/m)
    // The chat of this test was started with a flag.
    expect(all).toMatch(/^\* +model +demo\/demo +the start$/m)
    expect(all).toContain('* by a flag, or set otherwise since')
    expect(await chat.slash('/config maxSteps')).toBe('maxSteps: 200 (from: default)')
  })

  test('writes the user’s own, says when it counts, and takes it back', async () => {
    const chat = await recordingChat()
    const { paths } = await chat.context.home()
    expect(await chat.slash('/config compaction.enabled false')).toBe(
      'Written. From the next start on compaction.enabled is false.',
    )
    expect(JSON.parse(readFileSync(paths.settingsFile, 'utf8'))).toEqual({ compaction: { enabled: false } })
    expect(chat.agent.env.settings.compaction.enabled).toBe(true)
    expect(await chat.slash('/config compaction.enabled')).toBe(
      'compaction.enabled: true in this chat; from the next start on false (from: you).',
    )
    expect(await chat.slash('/config compaction.enabled unset')).toContain('compaction.enabled is true')
    expect(await chat.slash('/config thinkingLevel high')).toContain('For this chat, at once: /thinking.')
    expect(await chat.slash('/config tools read, bash')).toContain('["read","bash"]')
    expect(await chat.slash('/config systemPrompt 5')).toContain('systemPrompt is 5')
  })

  test('refuses what is no setting, what is wrong, and keys of providers', async () => {
    const chat = await recordingChat()
    const { paths } = await chat.context.home()
    expect(await chat.refused('/config weather')).toContain('There is no setting weather')
    expect(await chat.refused('/config aprovalMode yolo')).toContain('Did you mean approvalMode?')
    expect(await chat.refused('/config maxSteps many')).toContain('must be a whole number')
    const told = await chat.refused('/config apiKey sk-0123456789')
    expect(told).toContain('treeline auth')
    expect(told).not.toContain('sk-0123')
    expect(existsSync(paths.settingsFile)).toBe(false)
  })

  test('headers, which may carry a key, are not shown', async () => {
    const chat = await recordingChat()
    const { paths } = await chat.context.home()
    writeFileSync(paths.settingsFile, '{"providers":{"mine":{"baseUrl":"http://x","headers":{"X-Key":"sk-42"}}}}')
    const all = await chat.slash('/config')
    expect(all).toContain('providers.mine.headers')
    expect(all).not.toContain('sk-42')
    expect(await chat.slash('/config providers')).not.toContain('sk-42')
  })

  test('tells that something else comes before what is the user’s', async () => {
    const chat = await recordingChat({ env: { TREELINE_MAX_STEPS: '7' } })
    expect(await chat.slash('/config maxSteps 9')).toContain('the environment comes first')
    expect(await chat.slash('/config')).toMatch(/maxSteps +7 +environment/)
  })
})
