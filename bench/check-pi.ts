// Does Pi's own SessionManager open what Treeline writes, with the leaf and the context DESIGN promises? Makes a session
// with branches, labels, a compaction, edits, an image and a moved leaf; opens its log, its `export --format pi` copy and a
// fork of it in Pi and compares. Not part of `npm test`, because Pi is installed for bench/ only: `npm run check-pi`.
import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SessionManager, VERSION } from '@earendil-works/pi-coding-agent'
import { piWriter } from '../packages/formats/src/pi/write.ts'
import { openFileStore, type Session } from '../packages/store/src/index.ts'

const USAGE = {
  input: 10,
  output: 5,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 15,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
}
const IMAGE = Buffer.alloc(6_000, 7).toString('base64')

function user(text: string, image?: string): object {
  const picture = image === undefined ? [] : [{ type: 'image', data: image, mimeType: 'image/png' }]
  return { role: 'user', content: [{ type: 'text', text }, ...picture], timestamp: Date.now() }
}

function assistant(text: string): object {
  const content = [{ type: 'text', text }]
  const model = { api: 'anthropic-messages', provider: 'anthropic', model: 'claude-sonnet-4-5' }
  return { role: 'assistant', content, ...model, usage: USAGE, stopReason: 'stop', timestamp: Date.now() }
}

/** Ids are the words said, so that what is compared can be read. */
async function say(session: Session, id: string, message: object, parentId?: string | null): Promise<void> {
  await session.append({ type: 'message', id, message }, parentId === undefined ? {} : { parentId })
}

async function makeSession(session: Session): Promise<void> {
  await session.append({ type: 'model_change', id: 'model', provider: 'anthropic', modelId: 'claude-sonnet-4-5' })
  await session.append({ type: 'thinking_level_change', id: 'thinking', thinkingLevel: 'high' })
  await say(session, 'plan', user('Plan it', IMAGE))
  await say(session, 'plan-answer', assistant('A plan'))
  await say(session, 'detail', user('More detail'))
  await say(session, 'detail-answer', assistant('Details'))
  const compaction = { summary: 'They planned.', firstKeptEntryId: 'detail', tokensBefore: 100 }
  await session.append({ type: 'compaction', id: 'compaction', ...compaction })
  await say(session, 'go', user('Go on'))
  await say(session, 'go-answer', assistant('Going on'))
  await say(session, 'aside', user('An aside'), 'plan-answer')
  await say(session, 'aside-answer', assistant('Beside the point'))
  await say(session, 'late', user('A late thought'), null)
  await say(session, 'late-answer', assistant('Better late'))
  await session.setLabel('plan', 'start')
  await session.setLabel('go', 'here')
  await session.rename('A session for Pi')
  await session.branch('go-answer')
}

async function edit(session: Session): Promise<void> {
  await session.edit({ operations: [{ op: 'mute', nodeIds: ['detail'] }] })
  await session.edit({ operations: [{ op: 'prune', nodeId: 'aside', include: 'self' }] })
  await session.edit({ operations: [{ op: 'graft', sourceId: 'late', targetId: 'go-answer' }] })
  await session.edit({ operations: [{ op: 'leaf', leafId: 'late-answer' }] })
}

type Manager = ReturnType<typeof SessionManager.open>

/** Nodes of the path Pi is on. */
function branchOf(pi: Manager): string[] {
  const asides = new Set(['label', 'session_info', 'custom', 'model_change', 'thinking_level_change', 'usage'])
  return pi
    .getBranch()
    .filter(({ type }) => !asides.has(type))
    .map(({ id }) => id)
}

function saidIn(messages: readonly object[]): string[] {
  return messages.map((message) => {
    const { role, content, summary } = message as { role: string; content?: unknown; summary?: string }
    const [first] = Array.isArray(content)
      ? (content as readonly { readonly text?: string }[])
      : [{ text: `${content}` }]
    return `${role}: ${summary ?? first?.text}`
  })
}

async function exportCopy(session: Session, path: string): Promise<void> {
  const pieces: string[] = []
  await piWriter.write(session, (piece) => void pieces.push(piece), {})
  writeFileSync(path, pieces.join(''))
}

/** Opens a copy of a file, and makes sure that opening did not change it. */
function openInPi(path: string): Manager {
  const copy = `${path}.pi.jsonl`
  copyFileSync(path, copy)
  const pi = SessionManager.open(copy)
  assert.deepEqual(readFileSync(copy), readFileSync(path), 'opening changed the file')
  return pi
}

async function compareLog(session: Session, expectedBranch: readonly string[], what: string): Promise<void> {
  await session.flush()
  const pi = openInPi(session.path)
  let count = 0
  for await (const _ of session.entries()) count++
  assert.equal(pi.getEntries().length, count, 'entries')
  assert.deepEqual(branchOf(pi), expectedBranch, 'the path')
  const { messages, model, thinkingLevel } = await session.context({ dialect: 'pi' })
  const theirs = pi.buildSessionContext()
  assert.deepEqual(JSON.parse(JSON.stringify(theirs.messages)), JSON.parse(JSON.stringify(messages)), 'the context')
  assert.deepEqual(theirs.model, model)
  assert.equal(theirs.thinkingLevel, thinkingLevel)
  assert.equal(pi.getLabel('plan'), 'start')
  assert.equal(pi.getSessionName(), 'A session for Pi')
  console.log(`ok  ${what}: ${count} entries, path ${expectedBranch.join(' → ')}`)
}

async function compareCopy(session: Session, path: string, expected: readonly string[], what: string): Promise<void> {
  await exportCopy(session, path)
  const pi = openInPi(path)
  const { nodes } = await session.line()
  const seen = nodes.filter((node) => node.in || node.reason === 'compacted').map(({ nodeId }) => nodeId)
  assert.deepEqual(branchOf(pi), seen, 'the path')
  const { messages } = pi.buildSessionContext()
  assert.deepEqual(saidIn(messages), expected, 'the context')
  assert.equal(pi.getLabel('plan'), 'start')
  assert.equal(pi.getLabel('go'), 'here')
  assert.equal(pi.getSessionName(), 'A session for Pi')
  const plan = pi.getEntry('plan') as unknown as { message: { content: readonly { data?: string }[] } }
  assert.equal(plan.message.content[1]!.data, IMAGE, 'the image')
  assert.ok(!readFileSync(path, 'utf8').includes('treeline/'))
  console.log(`ok  ${what}: ${expected.join(' | ')}`)
}

/** A fork has no edits to apply but mutes: Pi sees its path, the labels and the name. */
async function compareFork(fork: Session, expectedBranch: readonly string[], name: string): Promise<void> {
  await fork.flush()
  const pi = openInPi(fork.path)
  assert.deepEqual(branchOf(pi), expectedBranch, 'the path')
  assert.equal(pi.getLabel('plan'), 'start')
  assert.equal(pi.getLabel('go'), 'here')
  assert.equal(pi.getSessionName(), name)
  console.log(`ok  a fork: path ${expectedBranch.join(' → ')}, both labels, "${name}"`)
}

/** What Pi appends to the log hangs where Treeline goes on. */
async function continueInPi(session: Session, path: string): Promise<void> {
  copyFileSync(session.path, path)
  const { leafId } = session
  const pi = SessionManager.open(path)
  const id = pi.appendMessage({ role: 'user', content: 'Said in Pi', timestamp: Date.now() })
  const folder = mkdtempSync(join(tmpdir(), 'treeline-check-pi-'))
  try {
    await using store = await openFileStore({ home: folder })
    await using grown = await store.openPath(path)
    assert.equal(grown.leafId, id)
    const { nodes } = await grown.line()
    assert.equal(nodes.at(-2)?.nodeId, leafId)
    console.log(`ok  what Pi appends hangs under ${leafId}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const folder = mkdtempSync(join(tmpdir(), 'treeline-check-pi-'))
try {
  console.log(`Pi ${VERSION}`)
  await using store = await openFileStore({ home: join(folder, 'home') })
  await using session = await store.create({ cwd: folder })
  await makeSession(session)
  const trunk = ['plan', 'plan-answer', 'detail', 'detail-answer', 'compaction', 'go', 'go-answer']
  const kept = ['user: More detail', 'assistant: Details']
  const rest = ['user: Go on', 'assistant: Going on']
  await compareLog(session, trunk, 'the log, leaf moved')
  const summary = 'compactionSummary: They planned.'
  await compareCopy(session, join(folder, 'plain.jsonl'), [summary, ...kept, ...rest], 'the copy, leaf moved')
  await continueInPi(session, join(folder, 'continued.jsonl'))
  await edit(session)
  await compareLog(session, ['late', 'late-answer'], 'the edited log shows the unedited path')
  const late = ['user: A late thought', 'assistant: Better late']
  const edited = [summary, 'assistant: Details', ...rest, ...late]
  await compareCopy(session, join(folder, 'edited.jsonl'), edited, 'the copy has the edits applied')
  const forked = [...trunk, 'late', 'late-answer']
  await using fork = await store.fork(session)
  await compareFork(fork, forked, 'A session for Pi')
  await using named = await store.fork(session, { title: 'A fork for Pi' })
  await compareFork(named, forked, 'A fork for Pi')
} finally {
  rmSync(folder, { recursive: true })
}
