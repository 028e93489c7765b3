import { type ReactNode, useState } from 'react'

/** Which were opened or closed: a row that leaves the page and comes back is as it was left. */
const known = new Map<string, boolean>()

interface FoldProps {
  readonly id: string
  readonly className: string
  readonly isOpenAtFirst?: boolean
  readonly summary: ReactNode
  readonly children: ReactNode
}

/** Something that is there for whoever asks. What is inside is drawn only then. */
export function Fold({ id, className, isOpenAtFirst = false, summary, children }: FoldProps) {
  const [isOpen, setOpen] = useState(known.get(id) ?? isOpenAtFirst)
  return (
    <details
      className={`fold ${className}`}
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        known.set(id, open)
        setOpen(open)
      }}
    >
      <summary>{summary}</summary>
      {isOpen && <div className="fold-body">{children}</div>}
    </details>
  )
}
