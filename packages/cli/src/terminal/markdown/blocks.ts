import type { Table } from './parse-table.ts'

/** What a block stands in, outermost first. Blocks of one item share the object. */
export type Container = Quote | Item

export interface Quote {
  readonly type: 'quote'
}

export interface Item {
  readonly type: 'item'
  /** As it is shown; without, it is a bullet. */
  readonly number?: { readonly written: number; readonly shown: number; readonly delimiter: string }
  /** Where the marker stands and where its text begins, in columns of what surrounds it. */
  readonly indent: number
  offset: number
}

export interface Paragraph {
  readonly type: 'paragraph'
  /** As written: the line breaks of a model are kept. */
  readonly lines: string[]
}

export interface Heading {
  readonly type: 'heading'
  readonly level: number
  readonly text: string
}

export interface Code {
  readonly type: 'code'
  /** In lower case, empty if none was given. */
  readonly language: string
  readonly lines: string[]
  readonly fence: string
  readonly indent: number
}

export interface Rule {
  readonly type: 'rule'
}

export type Leaf = Paragraph | Heading | Code | Rule | Table

/** A flat list instead of a tree: nothing has to recurse over what hostile text nests. */
export interface Block {
  readonly leaf: Leaf
  readonly containers: readonly Container[]
  /** Whether an empty line stood before it. */
  readonly hasGap: boolean
}
