import { Kind, nodePath, plainText, ROOT, Role, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import { numberText } from '../../output/amount.ts'
import { inOneLine, t } from '../../output/language.ts'
import type { ChatActions } from '../chat-actions.ts'
import { writeClipboard } from '../clipboard/write-clipboard.ts'
import { codeBlocksOf } from '../markdown/code-blocks.ts'
import { wordsOf } from '../transcript/transcript.ts'
import type { SlashCommand } from './slash-command.ts'

/** How many answers may be read on the way to one with words. */
const MAX_READ = 200

export const copyCommand: SlashCommand = {
  name: 'copy',
  args: '[N|code [N]]',
  help: () => t('copy the last answer, the Nth last, or its code'),
  choices: ['code'],
  async run(actions, rest) {
    const [whole, code, digits] = /^(code)?\s*([1-9]\d{0,5})?$/i.exec(rest) ?? []
    if (whole === undefined) {
      throw new TreelineError('bad_request', t('Say /copy, /copy 2, /copy code or /copy code 2.'))
    }
    const number = digits === undefined ? undefined : Number(digits)
    if (code === undefined) return copy(actions, await findAnswer(actions.session, number ?? 1))
    return copy(actions, pickCode(await findAnswer(actions.session, 1), number))
  },
}

/** Puts it into the clipboard and says what came of it. */
async function copy(actions: ChatActions, said: string): Promise<void> {
  // Where it is pasted it must not be more than text, either (K4).
  const text = plainText(said)
  const copied = await writeClipboard(text, { env: actions.context.env })
  const values = { lines: numberText(text.replace(/\n$/, '').split('\n').length), characters: numberText(text.length) }
  if (copied === 'tool') actions.show(t('Copied: {lines} lines, {characters} characters.', values))
  else if (copied === 'terminal') {
    const sent = t('Sent to the terminal’s clipboard: {lines} lines, {characters} characters.', values)
    actions.show(sent)
  } else {
    const what = t('That is too long for the terminal’s clipboard: {characters} characters.', values)
    const how = t('With wl-copy, xclip or xsel installed it could be copied.')
    throw new TreelineError('bad_request', inOneLine([what, how]))
  }
}

/** The words of an answer of the trunk, counted from its end, as the model wrote them. */
async function findAnswer(session: Session, number: number): Promise<string> {
  const { tree, leafId } = session
  const refs = leafId === null ? [] : nodePath(tree, tree.ids.find(leafId))
  const isAnswer = (ref: number) =>
    ref > ROOT && tree.columns.kind[ref] === Kind.message && tree.columns.role[ref] === Role.assistant
  let left = number
  for (const ref of refs.filter(isAnswer).slice(-MAX_READ).reverse()) {
    const entry = await session.readEntry(tree.ids.textOf(ref))
    const words = entry === undefined ? '' : wordsOf(entry)
    if (words !== '' && --left === 0) return words
  }
  const message = number === 1 ? t('There is no answer to copy yet.') : t('There are not so many answers here.')
  throw new TreelineError('bad_request', message)
}

function pickCode(answer: string, number: number | undefined): string {
  const blocks = codeBlocksOf(answer)
  const found = number === undefined ? blocks.at(-1) : blocks[number - 1]
  if (found !== undefined) return found
  if (blocks.length === 0) throw new TreelineError('bad_request', t('There is no code in the last answer.'))
  throw new TreelineError('bad_request', t('The last answer has {count} pieces of code.', { count: blocks.length }))
}
