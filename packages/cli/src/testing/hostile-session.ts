import type { EntryDraft } from '@treeline/core'
import { openFileStore } from '@treeline/store'
import { hostile } from './hostile-text.ts'

type Fields = Readonly<Record<string, unknown>>

const say = (id: string, message: Fields): EntryDraft => ({
  id,
  type: 'message',
  message: { timestamp: 1, ...message },
})
const text = (words: string) => [{ type: 'text', text: words }]

function user(id: string, words = hostile(id)): EntryDraft {
  return say(id, { role: 'user', content: text(words) })
}

function assistant(id: string, content: readonly Fields[], more: Fields = {}): EntryDraft {
  const usage = { input: 10, output: 1, cacheRead: 0, cacheWrite: 0, cost: { total: 1 } }
  const about = { provider: hostile('provider'), model: hostile('model'), usage, stopReason: 'stop' }
  return say(id, { role: 'assistant', content, ...about, ...more })
}

/** Every place of an answer in which markdown lets somebody write. */
function markdown(): string {
  return [
    hostile('words'),
    `# ${hostile('heading')}`,
    `- ${hostile('item')}`,
    `> ${hostile('quote')}`,
    `\`${hostile('code')}\` **${hostile('bold')}** [${hostile('link')}](${hostile('target')}) ![${hostile('alt')}](x)`,
    `| ${oneLine('cell')} | b |\n|---|---|\n| ${oneLine('cell2')} | d |`,
    `\`\`\`${oneLine('language')}\n${hostile('block')}\n\`\`\``,
    `\`\`\`ts\nconst a = '${hostile('typescript')}'\n\`\`\``,
  ].join('\n\n')
}

/** As it stands in one line of markdown. */
function oneLine(name: string): string {
  return hostile(name).replace(/[\r\n|]/g, '')
}

/** A session in which everything that somebody else may have written is hostile. */
export async function plantHostileSession(home: string, cwd: string, lastModel = 'demo'): Promise<void> {
  const call = { type: 'toolCall', id: 'c1', name: hostile('toolname'), arguments: { command: hostile('argument') } }
  const edit = { type: 'toolCall', id: 'c2', name: 'edit', arguments: { path: hostile('path') } }
  const result = (id: string, toolCallId: string, more: Fields = {}): EntryDraft =>
    say(id, { role: 'toolResult', toolCallId, toolName: 'edit', content: text(hostile(id)), isError: false, ...more })
  const diff = `--- a\n+++ b\n@@ -1 +1 @@\n-${hostile('minus')}\n+${hostile('plus')}`
  await using store = await openFileStore({ home })
  await using session = await store.create({ cwd, title: hostile('sessionname') })
  await session.appendAll([
    user('prompt'),
    assistant('answer', [
      { type: 'thinking', thinking: hostile('thoughts') },
      { type: 'text', text: markdown() },
      call,
      edit,
    ]),
    result('output', 'c1'),
    result('edited', 'c2', { details: { diff } }),
    result('lost', 'c3', { toolName: hostile('losttool'), isError: true }),
    say('shell', { role: 'bashExecution', command: hostile('command'), output: hostile('printed'), exitCode: 1 }),
    say('python', { role: 'pythonExecution', code: hostile('pythoncode'), output: hostile('pythonoutput') }),
    say('mention', { role: 'fileMention', files: [{ path: hostile('mentioned'), content: hostile('mentionbody') }] }),
    say('strange', { role: hostile('role'), content: text(hostile('strangerole')) }),
    assistant('failure', [], { stopReason: 'error', errorMessage: hostile('problem') }),
    user('aside'),
    assistant('asideanswer', text('Cut off.')),
  ])
  await session.branchWithSummary('failure', hostile('branchsummary'))
  await session.appendAll([
    { type: 'custom_message', customType: hostile('customtype'), content: hostile('custom'), display: true },
    { type: 'compaction', summary: hostile('compaction'), firstKeptEntryId: 'prompt', tokensBefore: 1 },
    { type: 'custom', customType: hostile('customentry'), data: { text: hostile('customdata') } },
    { type: hostile('unknowntype'), text: hostile('unknown') },
    user('last'),
    assistant('lastanswer', text(hostile('lastanswer')), { provider: 'demo', model: lastModel }),
  ])
  await session.setLabel('prompt', hostile('label'))
  await session.appendAll([user('cut'), assistant('cutanswer', text('Gone.'))], {
    parentId: 'lastanswer',
    leaf: 'stay',
  })
  await session.edit({ operations: [{ op: 'prune', nodeId: 'cut', include: 'self' }] })
  await session.edit({ operations: [{ op: 'meta', nodeId: 'cut', patch: { stashTitle: hostile('stashtitle') } }] })
}
