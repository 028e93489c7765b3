import type { PhrasingContent } from 'mdast'
import type { ReactNode } from 'react'
import { t } from '../words/language.ts'
import type { Definitions } from './definitions.ts'
import { Picture } from './Picture.tsx'
import { readDataPicture, safeLink } from './safe-url.ts'

interface InlineViewProps {
  readonly content: readonly PhrasingContent[]
  readonly definitions: Definitions
}

/** What stands in a line of text. */
export function InlineView({ content, definitions }: InlineViewProps) {
  // biome-ignore lint/suspicious/noArrayIndexKey: a piece is known by its place.
  return content.map((piece, i) => <Piece key={i} piece={piece} definitions={definitions} />)
}

function Piece({ piece, definitions }: { readonly piece: PhrasingContent; readonly definitions: Definitions }) {
  const inner = 'children' in piece ? <InlineView content={piece.children} definitions={definitions} /> : null
  switch (piece.type) {
    case 'text':
      return piece.value
    case 'emphasis':
      return <em>{inner}</em>
    case 'strong':
      return <strong>{inner}</strong>
    case 'delete':
      return <del>{inner}</del>
    case 'inlineCode':
      return <code>{piece.value}</code>
    case 'break':
      return <br />
    case 'link':
      return <Link url={piece.url}>{inner}</Link>
    case 'linkReference':
      return <Link url={definitions.get(piece.identifier)?.url}>{inner}</Link>
    case 'image':
      return <PictureOrLink url={piece.url} alt={piece.alt ?? ''} />
    case 'imageReference':
      return <PictureOrLink url={definitions.get(piece.identifier)?.url ?? ''} alt={piece.alt ?? ''} />
    case 'footnoteReference':
      return <sup>{piece.label ?? piece.identifier}</sup>
    case 'html':
      // The one tag that models use where markdown has nothing: a new line in a table.
      return /^<br\s*\/?>$/i.test(piece.value) ? <br /> : piece.value
    default:
      return null
  }
}

function Link({ url = '', children }: { readonly url?: string | undefined; readonly children: ReactNode }) {
  const href = safeLink(url)
  if (href === undefined) return <span title={url}>{children}</span>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}

function PictureOrLink({ url, alt }: { readonly url: string; readonly alt: string }) {
  const picture = readDataPicture(url)
  if (picture !== undefined) return <Picture {...picture} alt={alt} />
  return <Link url={url}>{t('Picture: {name}', { name: alt === '' ? url.slice(0, 100) : alt })}</Link>
}
