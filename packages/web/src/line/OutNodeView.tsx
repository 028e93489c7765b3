import { t } from '../words/language.ts'
import { roleName } from './LineBar.tsx'
import type { LineLens } from './line-lens.ts'
import type { OutNode, OutReason } from './line-rows.ts'
import { SendSwitch } from './SendSwitch.tsx'

/** A node that is not sent: which, and why. */
export function OutNodeView({ lens, node }: { readonly lens: LineLens; readonly node: OutNode }) {
  const { tree, bodies } = lens.session
  const place = tree.place(node.nodeId)
  return (
    <div className={node.isChanged ? 'line-out line-row-changed' : 'line-out'}>
      <span className="line-role">{place < 0 ? '' : roleName(tree.roleOf(place))}</span>
      <span className="line-out-text">{bodies.preview(node.nodeId)?.slice(0, 120) ?? '…'}</span>
      <span className={node.isChanged ? 'badge line-would' : 'badge'}>
        {node.isChanged ? t('would be muted') : reasonText(node.reason)}
      </span>
      {node.reason === 'disabled' && <SendSwitch lens={lens} nodeId={node.nodeId} isSent={false} />}
    </div>
  )
}

function reasonText(reason: OutReason): string {
  switch (reason) {
    case 'disabled':
      return t('muted')
    case 'generating':
      return t('being written')
    case 'error':
      return t('failed')
    case 'budget':
      return t('no room')
    case 'summarized':
      return t('summed up')
    case 'reset':
      return t('before a new beginning')
    case 'withdrawn':
      return t('withdrawn')
    case 'private':
      return t('kept from the model')
    case 'empty':
      return t('empty')
  }
}
