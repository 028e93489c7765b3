import { type Entry, plainText, preview, textOf } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { Sink, WriteOptions, Writer } from '../format.ts'
import type { FormatNote } from '../note.ts'
import { REDACTION_NOTICE, redact } from '../redact/redact.ts'
import { type Chosen, chooseNodes } from '../transcript/chosen.ts'
import { readNodes } from '../transcript/read-nodes.ts'
import { sessionFacts } from '../transcript/session-facts.ts'
import { embedJson } from './escape.ts'
import { bodyOf, staticArticle } from './page-body.ts'
import { pageEnd, pageFoot, pageHead } from './page-frame.ts'
import { PageTree } from './page-tree.ts'

/**
 * One page that needs nothing else: the conversation, every branch, the stash, search. It opens from a disk, asks no server
 * for anything, and holds nothing of the conversation but data (K4). Where scripts may not run it shows the trunk.
 *
 * What looks like a secret is redacted unless `redact` is `false`: a page is made to be shared.
 */
export const htmlWriter: Writer = {
  name: 'html',
  title: 'One page to read, with the whole tree',
  extension: '.html',
  write,
}

/** Bodies are embedded in pieces of about this size, so that a browser parses only those it shows. */
const PIECE_CHARS = 256 * 1024
const PIECE_NODES = 64
const TITLE_GRAPHEMES = 60

async function write(session: Session, sink: Sink, options: WriteOptions): Promise<readonly FormatNote[]> {
  const notes: FormatNote[] = []
  const chosen = chooseNodes(session, options, notes)
  const isRedacted = options.redact !== false
  if (isRedacted) notes.push({ kind: 'info', message: REDACTION_NOTICE })
  const said = (text: string) => (isRedacted ? redact(text) : text)
  const { name, cwd, createdAt } = sessionFacts(session, isRedacted)
  const about = {
    title: plainText(name).trim() || (await firstWords(session, chosen, isRedacted)) || 'Conversation',
    cwd: plainText(cwd),
    createdAt: plainText(createdAt),
    notice: isRedacted ? REDACTION_NOTICE : undefined,
  }
  await sink(pageHead(about))
  for await (const { entry, muted } of readNodes(session, chosen.tree, chosen.trunk, {
    redact: isRedacted,
    notes: [],
  })) {
    if (!muted && entry !== undefined) await sink(staticArticle(bodyOf(entry)))
  }
  await sink(pageFoot(about))
  const tree = new PageTree(chosen)
  const first = await writeBodies(session, chosen, tree, { redact: isRedacted, notes }, sink)
  const data = { cwd: about.cwd, createdAt: about.createdAt, ...tree.columns(first, said) }
  await sink(`<script type="application/json" id="tree-data">${embedJson(data)}</script>\n`)
  await sink(pageEnd())
  return notes
}

/** What was asked first: pages of conversations without a name are told apart by it. */
async function firstWords(session: Session, { tree, trunk }: Chosen, isRedacted: boolean): Promise<string> {
  for await (const { entry, muted } of readNodes(session, tree, trunk, { redact: isRedacted, notes: [] })) {
    if (!muted && entry !== undefined && isPrompt(entry)) return preview(textOf(entry), TITLE_GRAPHEMES)
  }
  return ''
}

function isPrompt({ type, message }: Entry): boolean {
  return type === 'message' && (message as { readonly role?: unknown } | undefined)?.role === 'user'
}

/** Returns the first node of each piece. */
async function writeBodies(
  session: Session,
  { tree }: Chosen,
  pageTree: PageTree,
  options: { readonly redact: boolean; readonly notes: FormatNote[] },
  sink: Sink,
): Promise<readonly number[]> {
  const first: number[] = []
  let node = 0
  let bodies: string[] = []
  let size = 0
  const flush = async () => {
    if (bodies.length === 0) return
    await sink(`<script type="application/json" class="bodies">[${bodies.join(',')}]</script>\n`)
    bodies = []
    size = 0
  }
  for await (const view of readNodes(session, tree, pageTree.refs, options)) {
    pageTree.add(view)
    const body = embedJson(bodyOf(view.entry))
    if (bodies.length === 0) first.push(node)
    bodies.push(body)
    size += body.length
    node++
    if (size >= PIECE_CHARS || bodies.length >= PIECE_NODES) await flush()
  }
  await flush()
  return first
}
