import {
  attachedLeaf,
  drawTree,
  type EditRequestOp,
  encodeHeader,
  encodeLine,
  type Line,
  type Log,
  lineOf,
  listFragments,
  planAppend,
  planEdit,
  planUndo,
  readLog,
  textOf,
  treeSource,
} from '@treeline/core'

/**
 * A session whose log is in memory. All that is seen of it is read back from the bytes, after every line anew, which only
 * a log this small can afford.
 */
export class TourSession {
  bytes: Uint8Array
  private log: Log

  /** Starts a new log, or reads the bytes of one. */
  constructor(bytes: Uint8Array = encodeHeader(makeHeader())) {
    this.bytes = bytes
    this.log = readLog(bytes)
  }

  /** Appends a message under the leaf, or under the given node, and returns its id. */
  say(role: 'user' | 'assistant', text: string, parentId = this.log.tree.anchorId(this.leaf)): string {
    const draft = { type: 'message', message: { role, content: [{ type: 'text', text }], timestamp: Date.now() } }
    const { entry, lines } = planAppend(this.log.tree, { parentId, draft })
    for (const line of lines) this.append(encodeLine(line))
    return entry.id
  }

  /** However many operations, one line. */
  edit(...operations: readonly EditRequestOp[]): void {
    const { entry } = planEdit(this.log.tree, this.leaf, { operations })
    if (entry !== undefined) this.append(encodeLine(entry))
  }

  undo(): void {
    const { entry } = planUndo(this.log.tree, this.leaf)
    if (entry !== undefined) this.append(encodeLine(entry))
  }

  line(): Line {
    return lineOf(this.log)
  }

  draw(columns: number): string[] {
    const source = treeSource(this.log.tree, (ref) => this.log.readEntry(ref))
    return [...drawTree(source, 'treeline', columns)]
  }

  stash(): readonly { readonly id: string; readonly nodeCount: number }[] {
    return listFragments(this.log.tree).map(({ fragmentId, nodeCount }) => ({ id: fragmentId, nodeCount }))
  }

  describe(nodeId: string): { readonly role: string; readonly text: string } {
    const entry = this.log.readEntry(this.log.tree.ids.find(nodeId))
    const message = entry?.message as { readonly role?: unknown } | undefined
    return { role: String(message?.role), text: entry === undefined ? '' : textOf(entry) }
  }

  /** The log as its lines, the first being the header. */
  lines(): string[] {
    return new TextDecoder().decode(this.bytes).trimEnd().split('\n')
  }

  private get leaf(): number {
    return attachedLeaf(this.log.tree)
  }

  private append(line: Uint8Array): void {
    const longer = new Uint8Array(this.bytes.length + line.length)
    longer.set(this.bytes)
    longer.set(line, this.bytes.length)
    this.bytes = longer
    this.log = readLog(longer)
  }
}

function makeHeader() {
  const id = '01990000-0000-7000-8000-000000000001'
  return { type: 'session', version: 3, id, timestamp: new Date().toISOString(), cwd: '/' } as const
}
