import { listFragments } from '@treeline/core'
import { describe, expect, test } from 'vitest'
import { type RecordingChat, recordingChat } from './testing/recording-chat.ts'

/** Two exchanges, the second of which two ways were taken: the first and last nodes of each. */
async function branched() {
  const chat = await recordingChat()
  const [root, answer] = await chat.say('What is a tree?')
  const [oakPrompt, oak] = await chat.say('Tell me of oaks')
  await chat.session.branch(answer!)
  const [birchPrompt, birch] = await chat.say('Tell me of birches')
  const ids = {
    root: root!,
    answer: answer!,
    oakPrompt: oakPrompt!,
    oak: oak!,
    birchPrompt: birchPrompt!,
    birch: birch!,
  }
  return { chat, ...ids }
}

const said = async ({ session }: RecordingChat) => JSON.stringify((await session.line()).messages)
const stashed = ({ session }: RecordingChat) => listFragments(session.tree).map(({ fragmentId }) => fragmentId)

describe('/prune', () => {
  test('puts the last exchange into the stash, and /undo brings it back', async () => {
    const { chat, birchPrompt, answer, birch } = await branched()
    const told = await chat.slash('/prune')
    expect(told).toMatch(/^Cut off 2 nodes and put them into the stash: [\w-]+\. The line: 4 messages.* → 2 messages/)
    expect(stashed(chat)).toEqual([birchPrompt])
    expect(chat.session.leafId).toBe(answer)
    expect(await said(chat)).not.toContain('birches')
    expect(await chat.slash('/undo')).toContain('Undone: prune')
    expect(stashed(chat)).toEqual([])
    expect(chat.session.leafId).toBe(birch)
  })

  test('takes a node with all that follows it', async () => {
    const { chat, oakPrompt, birch } = await branched()
    expect(await chat.slash(`/prune ${oakPrompt.slice(-8)}`)).toContain('Cut off 2 nodes')
    expect(stashed(chat)).toEqual([oakPrompt])
    expect(chat.session.leafId).toBe(birch)
  })

  test('refuses what is not there, is in the stash already, or is several', async () => {
    const { chat, oakPrompt } = await branched()
    expect(await chat.refused('/prune nowhere')).toContain('There is no node "nowhere"')
    expect(await chat.refused('/prune one two')).toContain('Give one node')
    await chat.slash(`/prune ${oakPrompt}`)
    expect(await chat.refused(`/prune ${oakPrompt}`)).toContain('already the top of a fragment in the stash')
    const empty = await recordingChat()
    expect(await empty.refused('/prune')).toBe('Nothing has been said here yet.')
  })
})

describe('/stash', () => {
  test('an empty one tells how it is filled', async () => {
    const chat = await recordingChat()
    expect(await chat.slash('/stash')).toContain('The stash is empty. /prune puts things there')
  })

  test('lists what was cut off, the latest first, and shows one', async () => {
    const { chat, oakPrompt, birchPrompt, oak } = await branched()
    await chat.slash(`/prune ${oakPrompt}`)
    await chat.slash(`/prune ${birchPrompt}`)
    const lines = (await chat.slash('/stash')).split('\n')
    expect(lines[1]).toMatch(new RegExp(`^${birchPrompt.slice(-8)} +2 +just now +Tell me of birches`))
    expect(lines[2]).toMatch(new RegExp(`^${oakPrompt.slice(-8)} +2 +just now +Tell me of oaks`))
    const one = await chat.slash(`/stash ${oak.slice(-8)}`)
    expect(one).toMatch(/^2 nodes, cut off just now below /)
    expect(one).toMatch(new RegExp(`${oakPrompt.slice(-8)} +user +Tell me of oaks`))
    expect(one).toMatch(new RegExp(`${oak.slice(-8)} +assistant +`))
  })

  test('refuses what is not in it', async () => {
    const { chat, oakPrompt, root } = await branched()
    await chat.slash(`/prune ${oakPrompt}`)
    expect(await chat.refused(`/stash ${root}`)).toContain('is not in the stash')
    expect(await chat.refused('/stash nowhere')).toContain('There is no node "nowhere"')
  })
})

describe('/graft', () => {
  test('hangs a part of the stash in where the conversation is, and tells how to get to its end', async () => {
    const { chat, oakPrompt, birch, oak } = await branched()
    await chat.slash(`/prune ${oakPrompt}`)
    const told = await chat.slash(`/graft ${oakPrompt.slice(-8)}`)
    expect(told).toContain(`${oakPrompt.slice(-8)} hangs under ${birch.slice(-8)} now.`)
    expect(stashed(chat)).toEqual([])
    expect(await said(chat)).not.toContain('oaks')
    await chat.slash(/\/go \S+/.exec(told)![0])
    expect(chat.session.leafId).toBe(oak)
    expect(await said(chat)).toMatch(/birches.*oaks/)
  })

  test('back puts it where it was', async () => {
    const { chat, oakPrompt, answer } = await branched()
    const { tree } = chat.session
    const children = () => tree.columns.children(tree.ids.find(answer)).map((ref) => tree.ids.textOf(ref))
    const before = children()
    await chat.slash(`/prune ${oakPrompt}`)
    expect(children()).toHaveLength(1)
    await chat.slash(`/graft ${oakPrompt} back`)
    expect(children()).toEqual(before)
    expect(await chat.refused(`/graft ${oakPrompt} back`)).toContain('was not cut off by itself')
  })

  test('under a node, as a root, and as a copy that leaves the source where it is', async () => {
    const { chat, oakPrompt, birch } = await branched()
    const { columns, ids } = chat.session.tree
    expect(await chat.slash(`/graft ${oakPrompt} under ${birch}`)).toContain('hangs under')
    expect(ids.textOf(columns.parent[ids.find(oakPrompt)]!)).toBe(birch)
    expect(await chat.slash(`/graft copy ${oakPrompt} under root`)).toContain('A copy hangs under the beginning now')
    expect(ids.textOf(columns.parent[ids.find(oakPrompt)]!)).toBe(birch)
    await chat.slash('/undo')
    expect(await chat.slash(`/graft ${oakPrompt} root`)).toContain('hangs under the beginning now')
  })

  test('refuses nothing, nonsense, and a node under itself', async () => {
    const { chat, root, birch } = await branched()
    expect(await chat.refused('/graft')).toContain('Say what to hang in')
    expect(await chat.refused(`/graft ${birch} under`)).toContain('Say it as /graft ID under ID')
    expect(await chat.refused(`/graft ${birch} under ${root} ${birch}`)).toContain('Say it as /graft ID under ID')
    expect(await chat.refused(`/graft ${root} under ${birch}`)).not.toBe('')
    expect(chat.session.leafId).toBe(birch)
  })
})

describe('/go', () => {
  test('goes on from an answer, and takes a prompt back into the editor (M9)', async () => {
    const { chat, oak, oakPrompt, answer } = await branched()
    await chat.slash(`/go ${oak.slice(-8)}`)
    expect(chat.session.leafId).toBe(oak)
    expect(chat.editor).toBe('')
    await chat.slash(`/go ${oakPrompt}`)
    expect(chat.session.leafId).toBe(answer)
    expect(chat.editor).toBe('Tell me of oaks')
  })

  test('finds a label, and a hit of /search', async () => {
    const { chat, oak } = await branched()
    await chat.slash(`/label ${oak} the oaks`)
    await chat.slash('/go the oaks')
    expect(chat.session.leafId).toBe(oak)
    const found = await chat.slash('/search birches')
    expect(found).toContain('/go NODE goes to one in this session')
    const [nodeId] = /^ {2}(\S+) {2}assistant/m.exec(found)!.slice(1)
    await chat.slash(`/go ${nodeId}`)
    expect(chat.session.leafId).toBe(nodeId)
  })

  test('goes to a hit of /search in another session', async () => {
    const { chat, oak } = await branched()
    const there = chat.session.id
    await chat.slash('/new')
    await chat.slash(`/go ${there.slice(-8)} ${oak}`)
    expect(chat.session.id).toBe(there)
    expect(chat.session.leafId).toBe(oak)
  })

  test('refuses nothing, what is not there, and what is in the stash', async () => {
    const { chat, oak, oakPrompt } = await branched()
    expect(await chat.refused('/go')).toContain('Say where to')
    const ids = `\`treeline tree ${chat.session.id.slice(-8)}\` shows their ids`
    expect(await chat.refused('/go nowhere')).toBe(`There is no node "nowhere" in this session. ${ids}.`)
    await chat.slash(`/prune ${oakPrompt}`)
    expect(await chat.refused(`/go ${oak}`)).toContain('is in the stash. Graft it back')
  })
})
