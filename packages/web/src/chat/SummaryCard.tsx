import type { ChatMessageNode } from '@treeline/protocol'
import { Markdown } from '../markdown/Markdown.tsx'
import { t } from '../words/language.ts'
import { firstLine } from './describe-call.ts'
import { Fold } from './Fold.tsx'
import { PlainText } from './PlainText.tsx'

/** A node that stands for others, or was put there by no person: one line, and the whole of it on demand. */
export function SummaryCard({ node }: { readonly node: ChatMessageNode }) {
  return (
    <Fold
      id={`${node.id}/card`}
      className="summary-card"
      summary={
        <>
          <strong>{titleOf(node)}</strong>{' '}
          <span className="soft">{firstLine(node.content.replace(/^#+ .*$/gm, ''))}</span>
        </>
      }
    >
      {node.metadata?.kind === 'bash' ? <PlainText text={node.content} /> : <Markdown text={node.content} />}
    </Fold>
  )
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
