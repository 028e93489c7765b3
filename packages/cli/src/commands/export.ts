import { extname, resolve } from 'node:path'
import { TreelineError } from '@treeline/core'
import {
  type FormatNote,
  loadWriter,
  type Sink,
  type WriteOptions,
  type Writer,
  type WriterName,
  writerNames,
} from '@treeline/formats'
import { defineCommand } from '../args/command.ts'
import { noteText } from '../moving/describe-notes.ts'
import { formatByEnding } from '../moving/format-by-ending.ts'
import { writeNewFile } from '../moving/write-new-file.ts'
import { findNode } from '../node-of.ts'
import { bytesText } from '../output/amount.ts'
import type { Output } from '../output/output.ts'
import { shortId } from '../output/short-id.ts'
import { paint } from '../output/style.ts'
import { messageLines } from '../output/wrap-message.ts'
import { openTarget, typedName } from '../target.ts'

const STDOUT = '-'

export const command = defineCommand({
  positionals: [
    { name: 'FILE', help: 'the session; the latest of this project by default', optional: true, completes: 'session' },
  ],
  options: {
    format: {
      type: 'string',
      short: 'f',
      value: 'NAME',
      choices: writerNames,
      help: 'by default what the name of the output says, or jsonl',
    },
    html: { type: 'boolean', help: 'one page to read anywhere, with the tree (--format html)' },
    markdown: { type: 'boolean', help: 'text to read or paste (--format markdown)' },
    output: {
      type: 'string',
      short: 'o',
      value: 'FILE',
      help: 'where to; `-` is standard output, the default except for html',
    },
    leaf: { type: 'string', value: 'NODE', help: 'the end of the path to write; the leaf by default' },
    trunk: { type: 'boolean', help: 'only that path, without the other branches' },
    redact: { type: 'boolean', help: 'replace what looks like a secret; best effort, so read it before you share it' },
    'no-redact': { type: 'boolean', help: 'write everything as it is' },
    force: { type: 'boolean', help: 'overwrite the output' },
  },
  details: 'What the format has no words for is told on the error stream. Nothing of the session is changed.',
  examples: [
    ['treeline export 4f2a91c0 --html', 'a page named for the session, in this folder'],
    ['treeline export 4f2a91c0 -o chat.md --trunk', 'the conversation as Markdown'],
    ['treeline export 4f2a91c0 --format pi -o for-pi.jsonl', 'for Pi, with the edits applied'],
  ],
  json: '{"path","format","bytes","notes":[{"kind","message",…}]}; without -o the file is named for the session',
  async run({ args: [file], options, context }) {
    const { out, signal } = context
    const name = formatOf(options)
    const writer = await loadWriter(name)
    await using opened = await openTarget(context, file)
    const { session } = opened
    const writeOptions: WriteOptions = {
      leafId: options.leaf === undefined ? undefined : findNode(session, options.leaf, typedName(opened, file)),
      branches: options.trunk ? 'trunk' : 'all',
      redact: redactOf(options),
    }
    const write = (sink: Sink) => writer.write(session, sink, writeOptions)
    const target = targetOf(context.cwd, options.output, writer, session.id, out.isJson)
    if (target === opened.path) {
      throw new TreelineError('bad_request', `${target} is the session itself, and is never overwritten.`)
    }
    if (target === undefined) {
      const notes = await write((text) => {
        signal.throwIfAborted()
        return out.raw(text)
      })
      tellNotes(out, notes)
      return 0
    }
    const { result: notes, sizeBytes: bytes } = await writeNewFile(target, { force: options.force, signal }, write)
    out.json({ path: target, format: name, bytes, notes })
    out.print(`${paint('good', 'Written')}: ${target} (${writer.title}, ${bytesText(bytes)})`)
    if (!out.isJson) tellNotes(out, notes)
    return 0
  },
})

function tellNotes(out: Output, notes: readonly FormatNote[]): void {
  for (const note of notes) for (const line of messageLines(out, noteText(note))) out.note(paint('warn', line))
}

interface FormatOptions {
  readonly format?: string
  readonly html?: boolean
  readonly markdown?: boolean
  readonly output?: string
}

function formatOf({ format, html, markdown, output }: FormatOptions): WriterName {
  const said = new Set([...(format ? [format] : []), ...(html ? ['html'] : []), ...(markdown ? ['markdown'] : [])])
  const [name, ...others] = said
  if (others.length > 0) throw new TreelineError('bad_request', `Give one format, not ${[...said].join(' and ')}.`)
  if (name !== undefined) return name as WriterName
  return formatByEnding(extname(output ?? '')) ?? 'jsonl'
}

function redactOf({ redact, 'no-redact': asIs }: { readonly redact?: boolean; readonly 'no-redact'?: boolean }) {
  if (redact && asIs) throw new TreelineError('bad_request', 'Give --redact or --no-redact, not both.')
  return redact ? true : asIs ? false : undefined
}

/** `undefined`: standard output. A document on it leaves no room for the file. */
function targetOf(
  cwd: string,
  output: string | undefined,
  { name, extension }: Writer,
  sessionId: string,
  isJson: boolean,
): string | undefined {
  if (output === STDOUT && isJson) {
    throw new TreelineError('bad_request', 'With --json standard output is taken: give -o FILE.')
  }
  if (output === STDOUT) return undefined
  if (output !== undefined) return resolve(cwd, output)
  // Ids of other tools may hold anything; in a name only what is harmless there.
  const named = shortId(sessionId).replace(/[^\w-]/g, '_')
  return name === 'html' || isJson ? resolve(cwd, `${named}${extension}`) : undefined
}
