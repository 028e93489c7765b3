import { existsSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { TreelineError } from '@treeline/core'
import { type FormatNote, loadWriter, type Writer, type WriterName, writerNames } from '@treeline/formats'
import { noteText } from '../../moving/describe-notes.ts'
import { formatByEnding } from '../../moving/format-by-ending.ts'
import { writeNewFile } from '../../moving/write-new-file.ts'
import { bytesText } from '../../output/amount.ts'
import { t } from '../../output/language.ts'
import { shortId } from '../../output/short-id.ts'
import type { ChatActions } from '../chat-actions.ts'
import { beginWith, splitBegun } from './begin-with.ts'
import type { SlashCommand } from './slash-command.ts'
import { splitFirst } from './split-first.ts'

const DEFAULT: WriterName = 'html'
const MAX_NOTES = 5
/** More of one name than this in one folder, and something is wrong. */
const MAX_TRIES = 1_000

export const exportCommand: SlashCommand = {
  name: 'export',
  args: '[FORMAT|FILE]',
  help: () => t('write this session into a file: html, markdown, json …'),
  async complete(_actions, typed) {
    const begun = splitBegun(typed)
    return begun.words.length === 0 ? beginWith(begun, writerNames) : []
  },
  async run(actions, rest) {
    const { session, signal } = actions
    const { format, file } = readWish(rest)
    const writer = await loadWriter(format)
    const path = file === undefined ? freeName(actions, writer) : resolve(actions.cwd, homePath(actions, file))
    if (path === session.path) {
      throw new TreelineError('bad_request', t('{path} is the session itself, and is never overwritten.', { path }))
    }
    const force = existsSync(path)
    if (force && !(await mayOverwrite(actions, path))) return actions.show(t('Nothing was written.'))
    const written = await writeNewFile(path, { force, signal }, (sink) => writer.write(session, sink, {}))
    const { result: notes, sizeBytes } = written
    actions.show(`${t('Written: {path}', { path })}\n${format}, ${bytesText(sizeBytes)}`)
    for (const note of notes.slice(0, MAX_NOTES)) tellNote(actions, note)
    const left = notes.length - MAX_NOTES
    if (left > 0) actions.warn(t('{count} more notes: `treeline export` tells them all.', { count: left }))
  },
}

function tellNote(actions: ChatActions, note: FormatNote): void {
  if (note.kind === 'info') actions.show(note.message)
  else actions.warn(noteText(note))
}

/** A format, a file whose ending says it, or both. */
function readWish(rest: string): { readonly format: WriterName; readonly file: string | undefined } {
  const [first, after] = splitFirst(rest)
  const named = first === 'md' ? 'markdown' : writerNames.find((name) => name === first.toLowerCase())
  if (named !== undefined) return { format: named, file: after || undefined }
  if (rest === '') return { format: DEFAULT, file: undefined }
  const byEnding = formatByEnding(extname(rest))
  if (byEnding !== undefined) return { format: byEnding, file: rest }
  const formats = writerNames.join(', ')
  throw new TreelineError(
    'bad_request',
    t('Give a format or a file that ends in one: /export html, /export chat.md. Formats: {formats}.', { formats }),
  )
}

/** In the project, named for the session; a second one beside the first. */
function freeName({ cwd, session }: ChatActions, { extension }: Writer): string {
  // Ids of other tools may hold anything; in a name only what is harmless there.
  const name = shortId(session.id).replace(/[^\w-]/g, '_')
  for (let i = 1; i <= MAX_TRIES; i++) {
    const path = join(cwd, `${name}${i === 1 ? '' : `-${i}`}${extension}`)
    if (!existsSync(path)) return path
  }
  throw new TreelineError('bad_request', t('There are too many exports of it here. Give a name: /export chat.md.'))
}

function homePath({ context }: ChatActions, file: string): string {
  const { HOME } = context.env
  return HOME !== undefined && file.startsWith('~/') ? join(HOME, file.slice(2)) : file
}

async function mayOverwrite(actions: ChatActions, path: string): Promise<boolean> {
  const answer = await actions.choose({
    title: t('There is something at {path} already. Overwrite it?', { path }),
    choices: [
      { value: 'no', key: 'n', label: t('No, leave it') },
      { value: 'yes', key: 'y', label: t('Yes, overwrite it') },
    ],
  })
  return answer === 'yes'
}
