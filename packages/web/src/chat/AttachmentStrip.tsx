import { t } from '../words/language.ts'
import type { Attachment } from './attachments.ts'
import { BlobImage } from './BlobImage.tsx'
import { Icon } from './Icon.tsx'

interface AttachmentStripProps {
  readonly attachments: readonly Attachment[]
  /** Nothing can be taken out without it. */
  readonly onRemove?: (attachment: Attachment) => void
}

/** What goes with the next message. */
export function AttachmentStrip({ attachments, onRemove }: AttachmentStripProps) {
  if (attachments.length === 0) return null
  return (
    <ul className="attachments" aria-label={t('Attached')}>
      {attachments.map((attachment, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be there twice.
        <li key={i}>
          {attachment.kind === 'image' ? (
            <BlobImage blob={attachment.blob} mimeType={attachment.mimeType} alt={attachment.name} />
          ) : (
            <span className="attachment-file">
              <Icon name="file" /> {attachment.name}
            </span>
          )}
          {onRemove && (
            <button
              type="button"
              className="icon"
              aria-label={t('Remove {name}', { name: attachment.name })}
              onClick={() => onRemove(attachment)}
            >
              <Icon name="close" />
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
