import type { BlockContent, DefinitionContent, List, ListItem } from 'mdast'
import { createElement } from 'react'
import { t } from '../words/language.ts'
import { CodeBlock } from './CodeBlock.tsx'
import type { Definitions } from './definitions.ts'
import { InlineView } from './InlineView.tsx'
import type { Block } from './parse-markdown.ts'
import { TableView } from './TableView.tsx'

interface BlockViewProps {
  readonly block: Block
  readonly definitions: Definitions
  /** It may still grow. */
  readonly isLive?: boolean
}

export function BlockView({ block, definitions, isLive = false }: BlockViewProps) {
  switch (block.type) {
    case 'paragraph':
      return (
        <p>
          <InlineView content={block.children} definitions={definitions} />
        </p>
      )
    case 'heading':
      // The conversation's title is the first heading of the page.
      return createElement(
        `h${Math.min(6, block.depth + 1)}`,
        { className: `heading-${block.depth}` },
        <InlineView content={block.children} definitions={definitions} />,
      )
    case 'code':
      return <CodeBlock code={block.value} language={block.lang ?? ''} isLive={isLive} />
    case 'blockquote':
      return (
        <blockquote>
          <Blocks blocks={block.children} definitions={definitions} />
        </blockquote>
      )
    case 'list':
      return <ListView list={block} definitions={definitions} />
    case 'table':
      return <TableView table={block} definitions={definitions} />
    case 'thematicBreak':
      return <hr />
    case 'html':
      return <p className="raw">{block.value}</p>
    case 'footnoteDefinition':
      return (
        <div className="footnote">
          <sup>{block.label ?? block.identifier}</sup>
          <Blocks blocks={block.children} definitions={definitions} />
        </div>
      )
    default:
      // Definitions are shown where they are used; the rest is no block.
      return null
  }
}

interface BlocksProps {
  readonly blocks: readonly (BlockContent | DefinitionContent)[]
  readonly definitions: Definitions
}

function Blocks({ blocks, definitions }: BlocksProps) {
  return blocks.map((block, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a block is known by its place.
    <BlockView key={i} block={block} definitions={definitions} />
  ))
}

function ListView({ list, definitions }: { readonly list: List; readonly definitions: Definitions }) {
  const items = list.children.map((item, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: an item is known by its place.
    <ItemView key={i} item={item} definitions={definitions} isTight={list.spread !== true} />
  ))
  return list.ordered ? <ol start={list.start ?? 1}>{items}</ol> : <ul>{items}</ul>
}

interface ItemViewProps {
  readonly item: ListItem
  readonly definitions: Definitions
  readonly isTight: boolean
}

function ItemView({ item, definitions, isTight }: ItemViewProps) {
  const isTask = typeof item.checked === 'boolean'
  return (
    <li className={isTask ? 'task' : undefined}>
      {isTask && (
        <span role="img" aria-label={item.checked ? t('done') : t('not done')}>
          {item.checked ? '☑' : '☐'}{' '}
        </span>
      )}
      {item.children.map((block, i) =>
        isTight && !item.spread && block.type === 'paragraph' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a block is known by its place.
          <InlineView key={i} content={block.children} definitions={definitions} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a block is known by its place.
          <BlockView key={i} block={block} definitions={definitions} />
        ),
      )}
    </li>
  )
}
