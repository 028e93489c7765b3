import type { Session } from '@treeline/store'
import { redact } from '../redact/redact.ts'

/** What a file says of the session as a whole; `''` where it is not known. A header is another tool's, so any of it may be. */
export interface SessionFacts {
  readonly name: string
  readonly cwd: string
  readonly createdAt: string
}

export function sessionFacts({ name, header }: Session, isRedacted: boolean): SessionFacts {
  const said = (value: unknown) => (typeof value !== 'string' ? '' : isRedacted ? redact(value) : value)
  return { name: said(name), cwd: said(header.cwd), createdAt: said(header.timestamp) }
}
