import { existsSync, readFileSync } from 'node:fs'
import { openFileStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { describeFolder, makeTempFolder } from '../../testing/temp-folder.ts'
import { message } from '../testing/round-trip.ts'
import {
  JsonlLogger,
  loadSessionMessages,
  type NormalizedMessage,
  Project,
  Session,
  SessionConfigManager,
} from './index.ts'
import { createPaths } from './paths.ts'

const say = (role: 'user' | 'assistant', content: string) => ({
  role,
  content,
  ...(role === 'assistant' && { text: content }),
})
const user = (id: string) => ({ type: 'message', id, message: { role: 'user', content: id } })
const said = (messages: readonly NormalizedMessage[]) => messages.map(({ content }) => content)

test('N3 N7 N9 N38 a conversation is there again after a restart, and is a session like any other', async () => {
  using folder = makeTempFolder()
  const context = { home: folder.home, cwd: '/p' }
  let id: string
  {
    await using project = await Project.open({ context })
    id = project.session.id
    await project.send(say('user', 'Hello'))
    await project.send(say('assistant', 'Hi'))
    // Not closed yet: it is durable by now.
    await using other = await openFileStore({ home: folder.home })
    await using session = await other.open(id, { readOnly: true })
    expect((await session.line()).messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  }
  await using resumed = await Project.open({ context, sessionId: id })
  expect(said(resumed.session.history.messages)).toEqual(['Hello', 'Hi'])
  await using continued = await Project.open({ context, continue: true })
  expect(continued.session.id).toBe(id)
  await expect(Project.open({ context, sessionId: 'nowhere' })).rejects.toMatchObject({ code: 'session_not_found' })
})

test('N59 scenario 1: a fork of msg3 makes msg5 its sibling; both branches are kept', async () => {
  using folder = makeTempFolder()
  const context = { home: folder.home, cwd: '/p' }
  await using project = await Project.open({ context })
  const ids: string[] = []
  for (const role of ['user', 'assistant', 'user', 'assistant'] as const) {
    ids.push((await project.send(say(role, `msg${ids.length + 1}`))).uuid)
  }
  const forked = await project.fork(ids[2]!)
  expect(forked).toMatchObject({ text: 'msg3', parentUuid: ids[1] })
  expect(await project.send(say('user', 'msg5'))).toMatchObject({ parentUuid: ids[1] })
  await project.send(say('assistant', 'msg6'))
  expect(said(project.session.history.messages)).toEqual(['msg1', 'msg2', 'msg5', 'msg6'])
  expect(said(await project.messages())).toEqual(['msg1', 'msg2', 'msg3', 'msg4', 'msg5', 'msg6'])
  // X28: from here the first branch can be reached again.
  await project.fork(ids[3]!)
  expect(said(project.session.history.messages)).toEqual(['msg1', 'msg2', 'msg3', 'msg4'])
})

test('X27 X31 a fork of the first message survives a crash, and every writer goes on there', async () => {
  using folder = makeTempFolder()
  const context = { home: folder.home, cwd: '/p' }
  let id: string
  {
    await using project = await Project.open({ context })
    id = project.session.id
    const { uuid } = await project.send(say('user', 'JWT'))
    await project.send(say('assistant', 'a plan'))
    await project.fork(uuid)
  }
  await using project = await Project.open({ context, sessionId: id })
  expect(project.session.history.messages).toEqual([])
  await using logger = new JsonlLogger({ filePath: await project.paths.getSessionLogPath(id), home: folder.home })
  expect(await logger.getLatestUuid()).toBeNull()
  expect(await logger.addUserMessage('Session + PostgreSQL', id)).toMatchObject({ parentUuid: null })
  const { filePath } = logger
  expect(said(await loadSessionMessages({ logPath: filePath, home: folder.home }))).toEqual([
    [{ type: 'text', text: 'Session + PostgreSQL' }],
  ])
})

test('N10 X69 every kind of message comes back as it was said', async () => {
  using folder = makeTempFolder()
  const context = { home: folder.home, cwd: '/p' }
  const image = {
    type: 'image',
    data: `data:image/png;base64,${Buffer.alloc(3000).toString('base64')}`,
    mimeType: 'image/png',
  }
  const results = ['c1', 'c2'].map((toolCallId) => ({
    type: 'tool-result',
    toolCallId,
    toolName: 'read',
    input: {},
    result: { llmContent: toolCallId },
  }))
  const calls = ['c1', 'c2'].map((id) => ({ type: 'tool_use', id, name: 'read', input: {}, description: id }))
  await using project = await Project.open({ context })
  await project.send({ role: 'user', content: [{ type: 'text', text: 'Look' }, image], hidden: true })
  await project.send({
    role: 'assistant',
    content: calls,
    text: '',
    model: 'p/m',
    usage: { input_tokens: 1, output_tokens: 1 },
  })
  await project.send({ role: 'tool', content: results })
  await project.send({ role: 'user', content: 'deep', extra: { '@': ['@/id'], partialJson: 'x' } })
  const { session } = project
  const { path } = await openFileStore({ home: folder.home }).then(async (store) => {
    await using _ = store
    await using one = await store.open(session.id, { readOnly: true })
    return { path: one.path }
  })
  const loaded = await loadSessionMessages({ logPath: path, home: folder.home })
  const expected = session.history.messages.map((one) => JSON.stringify({ ...one, sessionId: session.id }))
  expect(loaded.map((one) => JSON.stringify(one))).toEqual(expected)
})

test('X20 X33 a message with an id that is taken, or under a parent that is not there, is refused', async () => {
  using folder = makeTempFolder()
  await using project = await Project.open({ context: { home: folder.home, cwd: '/p' } })
  const { history } = project.session
  await history.addMessage(say('user', 'one'), 'a')
  await expect(history.addMessage({ ...say('user', 'two'), parentUuid: null }, 'a')).rejects.toMatchObject({
    code: 'id_in_use',
  })
  await expect(history.addMessage({ ...say('user', 'two'), parentUuid: 'x' })).rejects.toMatchObject({
    code: 'node_not_found',
  })
  expect(said(history.messages)).toEqual(['one'])
})

test('a file of Neovate is read where it is, and continued as a copy; it is never changed', async () => {
  using folder = makeTempFolder()
  const config = { type: 'config', config: { approvalMode: 'yolo', approvalTools: ['bash'] } }
  const file = folder.plant('neovate/6a7f9b2c.jsonl', config, message('a', null), message('b', 'a'), message('c', 'a'))
  const before = describeFolder(`${folder.path}/neovate`)
  expect(said((await Session.resume({ id: '6a7f9b2c', logPath: file })).history.messages)).toEqual(['a', 'c'])
  const manager = new SessionConfigManager({ logPath: file, home: folder.home })
  expect(manager.config).toMatchObject({ approvalMode: 'yolo', approvalTools: ['bash'], pastedTextMap: {} })
  await using logger = new JsonlLogger({ filePath: file, home: folder.home, cwd: '/p' })
  expect(await logger.getLatestUuid()).toBe('c')
  expect(existsSync(folder.home)).toBe(false)
  expect(await logger.addUserMessage('on', '6a7f9b2c')).toMatchObject({ parentUuid: 'c' })
  expect(said(await logger.readAll())).toEqual(['a', 'b', 'c', [{ type: 'text', text: 'on' }]])
  expect(logger.filePath.startsWith(folder.home)).toBe(true)
  expect(describeFolder(`${folder.path}/neovate`)).toEqual(before)
})

test('N28 N30 X5 defaults are copies, also where there is no file', () => {
  using folder = makeTempFolder()
  const [one, two] = [1, 2].map(
    (n) => new SessionConfigManager({ logPath: `${folder.path}/${n}.jsonl`, home: folder.home }),
  )
  expect(one!.config).toEqual({ approvalMode: 'default', approvalTools: [], pastedTextMap: {}, pastedImageMap: {} })
  one!.config.approvalTools.push('bash')
  expect(two!.config.approvalTools).toEqual([])
})

test('N32 N76 X3 X4 settings are appended: what others wrote meanwhile is still there, and the last word counts', async () => {
  using folder = makeTempFolder()
  await using project = await Project.open({ context: { home: folder.home, cwd: '/p' } })
  const logPath = await project.paths.getSessionLogPath(project.session.id)
  const manager = new SessionConfigManager({ logPath, home: folder.home })
  await project.send(say('user', 'meanwhile'))
  const before = readFileSync(logPath)
  manager.config.approvalMode = 'autoEdit'
  manager.config.approvalTools.push('bash')
  manager.config.summary = 'A name'
  await manager.write()
  expect(readFileSync(logPath).subarray(0, before.length)).toEqual(before)
  expect(new SessionConfigManager({ logPath }).config).toEqual(manager.config)
  manager.config.approvalMode = 'default'
  delete manager.config.summary
  await manager.write()
  expect(new SessionConfigManager({ logPath }).config).toMatchObject({
    approvalMode: 'default',
    approvalTools: ['bash'],
  })
  expect(new SessionConfigManager({ logPath }).config).not.toHaveProperty('summary')
  expect(said(await project.messages())).toEqual(['meanwhile'])
  manager.config.approvalTools = 'all' as never
  await expect(manager.write()).rejects.toMatchObject({ code: 'validation_failed' })
})

test('N39 K3 an id is no path; N41 X72 the latest is that of the last event, and none is no error', async () => {
  using folder = makeTempFolder()
  await using store = await openFileStore({ home: folder.home })
  const paths = createPaths({ store, home: folder.home, cwd: '/p' })
  expect(await paths.getLatestSessionId()).toBeUndefined()
  // X5: also the settings of a session that has not begun can be written.
  const manager = new SessionConfigManager({ logPath: await paths.getSessionLogPath('fresh'), store, cwd: '/q' })
  manager.config.summary = 'Named first'
  await manager.write()
  expect(new SessionConfigManager({ logPath: manager.logPath }).config).toMatchObject({ summary: 'Named first' })
  for (const id of ['../../etc/passwd', '/etc/passwd', './x.jsonl', '', 'a/b']) {
    await expect(paths.getSessionLogPath(id)).rejects.toMatchObject({ code: 'validation_failed' })
  }
  for (const id of ['old', 'new']) {
    await using logger = new JsonlLogger({ filePath: await paths.getSessionLogPath(id), store, cwd: '/p' })
    expect(await logger.getLatestUuid()).toBeNull()
    await logger.addUserMessage(id, id)
    expect(await paths.getSessionLogPath(id)).toBe(logger.filePath)
  }
  expect(await paths.getLatestSessionId()).toBe('new')
  await new Promise((resolve) => setTimeout(resolve, 2))
  await using logger = new JsonlLogger({ filePath: await paths.getSessionLogPath('old'), store, cwd: '/p' })
  await logger.addUserMessage('again', 'old')
  expect(await paths.getLatestSessionId()).toBe('old')
})

test('what Treeline itself wrote can be gone on with: open calls, compactions and all', async () => {
  using folder = makeTempFolder()
  const context = { home: folder.home, cwd: '/p' }
  const call = { type: 'toolCall', id: 'c', name: 'read', arguments: {} }
  {
    await using store = await openFileStore({ home: folder.home })
    await using open = await store.create({ id: 'open', cwd: '/p' })
    await open.appendAll([user('u'), { type: 'message', id: 'a', message: { role: 'assistant', content: [call] } }])
    await using compacted = await store.create({ id: 'compacted', cwd: '/p' })
    await compacted.appendAll([user('old'), user('kept')])
    await compacted.append({
      type: 'compaction',
      id: 's',
      summary: 'In short',
      firstKeptEntryId: 'kept',
      tokensBefore: 1,
    })
  }
  for (const [sessionId, parentId] of [
    ['open', 'a'],
    ['compacted', 's'],
  ] as const) {
    await using project = await Project.open({ context, sessionId })
    const { uuid } = await project.send(say('user', 'on'))
    await using store = await openFileStore({ home: folder.home })
    await using session = await store.open(sessionId, { readOnly: true })
    expect(await session.readEntry(uuid)).toMatchObject({ parentId })
  }
})

test('C1 of two who write at once each goes on with its own, and nothing is lost', async () => {
  using folder = makeTempFolder()
  const context = { home: folder.home, cwd: '/p' }
  await using one = await Project.open({ context })
  await one.send(say('user', 'start'))
  await using two = await Project.open({ context, sessionId: one.session.id })
  await Promise.all([one.send(say('user', 'one')), two.send(say('user', 'two'))])
  expect(said(one.session.history.messages)).toEqual(['start', 'one'])
  expect(said(two.session.history.messages)).toEqual(['start', 'two'])
  expect(new Set(said(await one.messages()))).toEqual(new Set(['start', 'one', 'two']))
})
