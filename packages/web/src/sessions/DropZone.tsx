import { useEffect, useState } from 'react'
import { Icon } from '../chat/Icon.tsx'
import { t } from '../words/language.ts'
import { importFiles } from './imports.ts'

/** A file dropped anywhere is a conversation to take in, unless what it was dropped on wants it for itself. */
export function DropZone() {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false
    const onOver = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      setOver(!event.defaultPrevented)
      // Without it the browser would open the file in the place of this page.
      event.preventDefault()
    }
    const onLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false)
    }
    const onDrop = (event: DragEvent): void => {
      setOver(false)
      if (event.defaultPrevented || !hasFiles(event)) return
      event.preventDefault()
      void importFiles([...(event.dataTransfer?.files ?? [])])
    }
    addEventListener('dragover', onOver)
    addEventListener('dragleave', onLeave)
    addEventListener('drop', onDrop)
    return () => {
      removeEventListener('dragover', onOver)
      removeEventListener('dragleave', onLeave)
      removeEventListener('drop', onDrop)
    }
  }, [])
  if (!isOver) return null
  return (
    <div className="drop-zone" aria-hidden="true">
      <p>
        <Icon name="bringIn" /> {t('Drop it here to import the conversation')}
      </p>
    </div>
  )
}
