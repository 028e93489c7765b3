import { type EditRequestOp, TreelineError } from '@treeline/core'

/** Tools that run without being asked for are allowed at a terminal or in answer to a question, never by a request. */
export function refuseUnasked(operations: readonly EditRequestOp[]): void {
  const patches = operations.flatMap((op) => (op.op === 'config' ? [op.patch] : []))
  if (patches.some(({ approvalMode }) => approvalMode === 'yolo')) {
    const message = 'The mode yolo cannot be set over HTTP: choose it at a terminal, or answer what is asked.'
    throw new TreelineError('forbidden', message)
  }
  if (patches.some(({ approvalTools }) => Array.isArray(approvalTools) && approvalTools.length > 0)) {
    const message = 'Tools that run unasked cannot be set over HTTP: answer with "tool" when one is asked about.'
    throw new TreelineError('forbidden', message)
  }
}
