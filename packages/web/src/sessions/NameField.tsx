import { useEffect, useRef } from 'react'
import { t } from '../words/language.ts'

interface NameFieldProps {
  readonly name: string
  /** What it is called while it has no name. */
  readonly placeholder: string
  readonly onName: (name: string) => void
  readonly onEnd: () => void
}

/** A name being written: Enter or going away keeps it, Escape does not. */
export function NameField({ name, placeholder, onName, onEnd }: NameFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  const isOver = useRef(false)
  const end = (isKept: boolean): void => {
    if (isOver.current) return
    isOver.current = true
    const written = field.current?.value.trim() ?? name
    if (isKept && written !== name) onName(written)
    onEnd()
  }
  return (
    <input
      ref={field}
      className="name-field"
      defaultValue={name}
      placeholder={placeholder}
      maxLength={500}
      aria-label={t('Name')}
      onBlur={() => end(true)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) end(true)
        if (event.key === 'Escape') end(false)
        event.stopPropagation()
      }}
    />
  )
}
