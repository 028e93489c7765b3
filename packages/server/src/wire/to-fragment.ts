import { type Entry, type Fragment as FragmentOfTree, listFragments, type Tree } from '@treeline/core'
import type { Fragment } from '@treeline/protocol'
import { previewOf } from './to-skeleton.ts'
import type { BodyOf } from './with-bodies.ts'

/** What lies in the stash; `entry` is the body of its top. */
export function toFragment({ title, ...fragment }: FragmentOfTree, entry: Entry | undefined): Fragment {
  return {
    ...fragment,
    rootId: fragment.fragmentId,
    ...(title !== undefined && { title }),
    preview: previewOf(entry),
  }
}

/** All of the stash, oldest cut first. The bodies of the `fragmentRoots` are asked for. */
export function toFragments(tree: Tree, bodyOf: BodyOf): Fragment[] {
  return listFragments(tree).map((fragment) => toFragment(fragment, bodyOf(fragment.fragmentId)))
}

export function fragmentRoots({ edits, ids }: Tree): string[] {
  return [...edits.fragments.keys()].map((ref) => ids.textOf(ref))
}
