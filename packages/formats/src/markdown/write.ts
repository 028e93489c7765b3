import { plainText } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { Sink, WriteOptions, Writer } from '../format.ts'
import type { FormatNote } from '../note.ts'
import { REDACTION_NOTICE } from '../redact/redact.ts'
import { chooseNodes } from '../transcript/chosen.ts'
import { imageAddress, imageWords } from '../transcript/image-words.ts'
import { type Part, partsOf } from '../transcript/parts.ts'
import { type NodeView, readNodes } from '../transcript/read-nodes.ts'
import { sessionFacts } from '../transcript/session-facts.ts'
import { type Speaker, speakerOf } from '../transcript/speaker.ts'
import { escapeInline } from './escape-prose.ts'
import { fenced } from './fence.ts'
import { writeOutline } from './outline.ts'
import { safeMarkdown } from './safe-markdown.ts'

/**
 * The conversation as a document to read and share (T43): the trunk without what is muted or pruned, a heading for each
 * turn, tools in code blocks, thinking as a quote. `branches: 'all'` adds an outline of the other branches at the end.
 *
 * The file holds no HTML of ours, and that of the conversation is shown as text: see `safeMarkdown`.
 */
export const markdownWriter: Writer = {
  name: 'markdown',
  title: 'A transcript to read, as Markdown',
  extension: '.md',
  write,
}

/** A larger image is told in words: few renderers show it, and editors choke on the line. */
const MAX_IMAGE_CHARS = 256 * 1024

async function write(session: Session, sink: Sink, options: WriteOptions): Promise<readonly FormatNote[]> {
  const notes: FormatNote[] = []
  const chosen = chooseNodes(session, options, notes)
  const isRedacted = options.redact === true
  if (isRedacted) notes.push({ kind: 'info', message: REDACTION_NOTICE })
  await sink(headOf(session, isRedacted))
  let before: Speaker | undefined
  let mutedCount = 0
  for await (const node of readNodes(session, chosen.tree, chosen.trunk, { redact: isRedacted, notes })) {
    if (node.muted) mutedCount++
    if (node.muted || node.entry === undefined) continue
    const speaker = speakerOf(node.entry)
    const heading = isSameTurn(before, speaker) ? '' : headingOf(speaker)
    await sink(
      heading +
        labelOf(node) +
        partsOf(node.entry)
          .map((part) => partText(part, node.id, notes))
          .join(''),
    )
    before = speaker
  }
  if (mutedCount > 0) {
    notes.push({ kind: 'left_out', message: `${mutedCount} muted nodes of the trunk are not in the transcript.` })
  }
  if (chosen.withBranches) await writeOutline(session, chosen, sink, { redact: isRedacted, notes })
  return notes
}

function headOf(session: Session, isRedacted: boolean): string {
  const { name, cwd, createdAt } = sessionFacts(session, isRedacted)
  const facts = [createdAt.slice(0, 10), cwd].map((fact) => escapeInline(oneLine(fact))).filter((fact) => fact !== '')
  const notice = isRedacted ? `> ${escapeInline(REDACTION_NOTICE)}\n\n` : ''
  const title = escapeInline(oneLine(name)) || 'Conversation'
  return `# ${title}\n\n${facts.length === 0 ? '' : `${facts.join(' · ')}\n\n`}${notice}`
}

/** A tool's answer belongs to the turn that asked for it, and so does what the model says next. */
function isSameTurn(before: Speaker | undefined, speaker: Speaker): boolean {
  if (before?.turn !== speaker.turn || before.title !== speaker.title) return false
  return speaker.model === undefined || before.model === undefined || before.model === speaker.model
}

function headingOf({ title, model }: Speaker): string {
  return `## ${escapeInline(oneLine(title))}${model === undefined ? '' : ` (${escapeInline(oneLine(model))})`}\n\n`
}

function labelOf({ label }: NodeView): string {
  return label === undefined ? '' : `**${escapeInline(oneLine(label))}**\n\n`
}

function partText(part: Part, id: string, notes: FormatNote[]): string {
  switch (part.type) {
    case 'text':
      return `${safeMarkdown(part.text)}\n\n`
    case 'thinking':
      return `${safeMarkdown(part.text).replace(/^/gm, '> ')}\n\n`
    case 'call':
      return `**${escapeInline(oneLine(part.name))}**\n\n${fenced(plainText(part.input), part.language)}\n\n`
    case 'output': {
      const title = `${part.isError ? 'Failed' : 'Result'}: ${escapeInline(oneLine(part.name))}`
      return part.text === '' ? `*${title}, empty*\n\n` : `*${title}*\n\n${fenced(plainText(part.text))}\n\n`
    }
    case 'image':
      return imageText(part, id, notes)
    case 'remark':
      return `*${escapeInline(oneLine(part.text))}*\n\n`
  }
}

function imageText({ mimeType, data }: Part & { readonly type: 'image' }, id: string, notes: FormatNote[]): string {
  const words = imageWords(mimeType, data)
  const address = data.length <= MAX_IMAGE_CHARS ? imageAddress(mimeType, data) : undefined
  if (address !== undefined) return `![${words}](${address})\n\n`
  notes.push({ kind: 'left_out', message: `An image of ${id} (${words}) is told in words only.`, id })
  return `\\[${words}\\]\n\n`
}

function oneLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim()
}
