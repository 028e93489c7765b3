import type { ChatMessageNode } from '@treeline/protocol'
import { Markdown } from '../markdown/Markdown.tsx'
import { plainWords } from '../markdown/plain-words.ts'
import { t } from '../words/language.ts'
import { Fold } from './Fold.tsx'
import { PlainText } from './PlainText.tsx'

const SHOWN_CHARS = 300

/** A node that stands for others, or was put there by no person: one line, and the whole of it on demand. */
export function SummaryCard({ node }: { readonly node: ChatMessageNode }) {
  return (
    <Fold
      id={`${node.id}/card`}
      className="summary-card"
      // Who merges wants to read what came of it.
      isOpenAtFirst={node.metadata?.kind === 'merge'}
      summary={
        <>
          <strong>{titleOf(node)}</strong> <span className="soft">{firstWords(node)}</span>
        </>
      }
    >
      {node.metadata?.kind === 'bash' ? <PlainText text={node.content} /> : <Markdown text={node.content} />}
    </Fold>
  )
}

/** Without its headings, which are the same in all of them. */
function firstWords({ content }: ChatMessageNode): string {
  return plainWords(content.slice(0, SHOWN_CHARS).replace(/^#+ .*$/gm, ''), true).replace(/^• /, '')
}

function titleOf({ metadata = {} }: ChatMessageNode): string {
  switch (metadata.kind) {
    case 'compaction':
      return t('What came before, summed up')
    case 'branch_summary':
      return t('Notes from a branch that was left')
    case 'merge':
      return t('Merged from {count} branches', { count: metadata.mergedFrom?.length ?? 2 })
    case 'bash':
      return t('Command run by hand')
    case 'custom_message':
      return t('Note')
    default:
      return t('System instructions')
  }
}
