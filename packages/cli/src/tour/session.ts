import {
  attachedLeaf,
  buildLine,
  drawTree,
  type EditRequestOp,
  type Entry,
  encodeHeader,
  encodeLine,
  HeadScanner,
  type Line,
  linePath,
  listFragments,
  parseRecord,
  planAppend,
  planEdit,
  planUndo,
  runSteps,
  Tree,
  textOf,
  treeSource,
} from '@treeline/core'

type Role = 'user' | 'assistant'

/**
 * A session whose log is in memory. Everything goes the way it goes with a file: an entry is planned, encoded to one line,
 * appended, and the tree is made from the bytes.
 */
export class TourSession {
  bytes = new Uint8Array(0)
  private readonly scanner = new HeadScanner()
  private readonly tree = new Tree(this.scanner.heads)

  /** Starts a new log, or reads the bytes of one. */
  constructor(log: Uint8Array = encodeHeader(makeHeader())) {
    this.write(log)
  }

  /** Appends a message under the leaf, or under the given node, and returns its id. */
  say(role: Role, text: string, parentId: string | null = this.leafId): string {
    const draft = { type: 'message', message: { role, content: [{ type: 'text', text }], timestamp: Date.now() } }
    const entries = planAppend(this.tree, { parentId, draft })
    for (const entry of entries) this.write(encodeLine(entry))
    return entries[0]!.id
  }

  /** However many operations, one line. */
  edit(...operations: readonly EditRequestOp[]): void {
    this.append(planEdit(this.tree, this.leaf, { operations }).entry)
  }

  undo(): void {
    this.append(planUndo(this.tree, this.leaf).entry)
  }

  line(): Line {
    const path = linePath(this.tree, this.leaf)
    return runSteps(buildLine(this.tree, this.leaf), (positions) => positions.map((at) => this.body(path.refs[at]!)))
  }

  draw(columns: number): string[] {
    return [...drawTree(treeSource(this.tree, (ref) => this.body(ref)), 'treeline', columns)]
  }

  stash(): readonly { readonly id: string; readonly nodeCount: number }[] {
    return listFragments(this.tree).map(({ fragmentId, nodeCount }) => ({ id: fragmentId, nodeCount }))
  }

  describe(nodeId: string): { readonly role: string; readonly text: string } {
    const entry = this.body(this.tree.ids.find(nodeId))
    const message = entry?.['message'] as { readonly role?: unknown } | undefined
    return { role: String(message?.role), text: entry === undefined ? '' : textOf(entry) }
  }

  /** The log as its lines, the first being the header. */
  lines(): string[] {
    return new TextDecoder().decode(this.bytes).trimEnd().split('\n')
  }

  private get leaf(): number {
    return attachedLeaf(this.tree)
  }

  private get leafId(): string | null {
    return this.tree.anchorId(this.leaf)
  }

  private append(entry: Entry | undefined): void {
    if (entry !== undefined) this.write(encodeLine(entry))
  }

  private write(part: Uint8Array): void {
    const longer = new Uint8Array(this.bytes.length + part.length)
    longer.set(this.bytes)
    longer.set(part, this.bytes.length)
    this.bytes = longer
    this.scanner.push(part)
    this.tree.sync()
  }

  private body(ref: number): Entry | undefined {
    const { offset, length } = this.scanner.heads
    const row = this.tree.bodyRow(ref)
    return row < 0 ? undefined : parseRecord(this.bytes.subarray(offset[row]!, offset[row]! + length[row]!)).entry
  }
}

function makeHeader() {
  const id = '01990000-0000-7000-8000-000000000001'
  return { type: 'session', version: 3, id, timestamp: new Date().toISOString(), cwd: '/' } as const
}
