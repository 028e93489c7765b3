import { type Fragment, listFragments, plainText, preview, ROOT, type Tree, textOf } from '@treeline/core'
import type { Chosen } from '../transcript/chosen.ts'
import type { NodeView } from '../transcript/read-nodes.ts'
import { speakerOf } from '../transcript/speaker.ts'

const MUTED = 1
const GENERATING = 2
const PREVIEW_GRAPHEMES = 100

/**
 * What the page knows of every node without looking at what it says, as columns: nodes are numbers, parents before
 * children, those of the stash last. `page/data.js` reads it.
 */
export class PageTree {
  readonly refs: readonly number[]
  private readonly tree: Tree
  private readonly fragments: readonly Fragment[]
  private readonly indexOf = new Map<number, number>()
  private readonly leaf: number
  private readonly ids: string[] = []
  private readonly kind: string[] = []
  private readonly flags: number[] = []
  private readonly time: number[] = []
  private readonly preview: string[] = []
  private readonly labels: (readonly [node: number, label: string])[] = []

  constructor({ tree, nodes, trunk, withBranches }: Chosen) {
    this.tree = tree
    this.fragments = withBranches ? listFragments(tree) : []
    const stashed = this.fragments.flatMap(({ fragmentId }) => [...tree.columns.subtree(tree.ids.find(fragmentId))])
    this.refs = [...nodes, ...stashed]
    for (const [index, ref] of this.refs.entries()) this.indexOf.set(ref, index)
    this.leaf = this.indexOf.get(trunk.at(-1) ?? ROOT) ?? -1
  }

  /** To be told of the nodes in the order of `refs`. */
  add({ id, entry, label, muted, generating }: NodeView): void {
    const node = this.ids.length
    this.ids.push(id)
    this.kind.push(kindOf(entry))
    this.flags.push((muted ? MUTED : 0) + (generating ? GENERATING : 0))
    this.time.push((entry && Date.parse(entry.timestamp)) || 0)
    this.preview.push(entry === undefined ? '' : preview(withoutMarks(textOf(entry)), PREVIEW_GRAPHEMES))
    if (label !== undefined) this.labels.push([node, plainText(label)])
  }

  /** `first`: the first node of each piece of bodies. */
  columns(first: readonly number[], said: (text: string) => string): object {
    const { ids, kind, flags, time, preview: words, leaf } = this
    const { parent: parents } = this.tree.columns
    const parent = this.refs.map((ref) => this.indexOf.get(parents[ref]!) ?? -1)
    const stash = this.fragments.map(({ fragmentId, title }) => ({
      top: this.indexOf.get(this.tree.ids.find(fragmentId))!,
      title: title === undefined ? undefined : plainText(said(title)),
    }))
    const titles = stash.flatMap(({ top, title }) => (title === undefined ? [] : [[top, title] as const]))
    return { leaf, parent, kind, flags, time, first, labels: [...this.labels, ...titles], stash, ids, preview: words }
  }
}

/** A row of the tree shows words, not how they are set. */
function withoutMarks(text: string): string {
  return text
    .trimStart()
    .slice(0, PREVIEW_GRAPHEMES * 20)
    .replace(/\*\*|`+|^#{1,6} /gm, '')
}

function kindOf(entry: NodeView['entry']): string {
  const message = entry?.message as { readonly role?: unknown } | null | undefined
  return entry?.type === 'message' && message?.role === 'toolResult' ? 'tool' : speakerOf(entry).turn
}
