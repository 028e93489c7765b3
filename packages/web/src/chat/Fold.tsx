import { type ReactNode, useState } from 'react'

/** Which were opened: a row that leaves the page and comes back is as it was left. */
const opened = new Set<string>()

interface FoldProps {
  readonly id: string
  readonly className: string
  readonly summary: ReactNode
  readonly children: ReactNode
}

/** Something that is there for whoever asks. What is inside is drawn only then. */
export function Fold({ id, className, summary, children }: FoldProps) {
  const [isOpen, setOpen] = useState(opened.has(id))
  return (
    <details
      className={`fold ${className}`}
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        if (open) opened.add(id)
        else opened.delete(id)
        setOpen(open)
      }}
    >
      <summary>{summary}</summary>
      {isOpen && <div className="fold-body">{children}</div>}
    </details>
  )
}
