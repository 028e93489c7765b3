import { memo, useMemo, useRef } from 'react'
import { BlockView } from './BlockView.tsx'
import { definitionsOf } from './definitions.ts'
import { type GrowingMarkdown, growMarkdown, NO_MARKDOWN } from './growing-markdown.ts'
import { type Block, parseMarkdown } from './parse-markdown.ts'

/** What a model wrote. All of it becomes elements of ours; nothing of it is HTML. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text])
  const definitions = useMemo(() => definitionsOf(blocks), [blocks])
  return (
    <div className="markdown">
      {blocks.map((block, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block is known by its place.
        <BlockView key={i} block={block} definitions={definitions} />
      ))}
    </div>
  )
})

/** The same while it is being written: only its last block is read and drawn again. */
export function LiveMarkdown({ text }: { readonly text: string }) {
  const kept = useRef<GrowingMarkdown>(NO_MARKDOWN)
  const grown = growMarkdown(kept.current, text)
  kept.current = grown
  const { done, tail } = grown
  return (
    <div className="markdown">
      {done.map((block, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block is known by its place.
        <SettledBlock key={i} block={block} />
      ))}
      {tail.map((block, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block is known by its place.
        <BlockView key={done.length + i} block={block} definitions={NO_DEFINITIONS} isLive />
      ))}
    </div>
  )
}

const NO_DEFINITIONS = definitionsOf([])

const SettledBlock = memo(function SettledBlock({ block }: { readonly block: Block }) {
  return <BlockView block={block} definitions={NO_DEFINITIONS} />
})
