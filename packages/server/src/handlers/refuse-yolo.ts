import { type EditRequestOp, TreelineError } from '@treeline/core'

/** Tools that run without being asked for are chosen at a terminal, and never over HTTP, nor brought back by it. */
export function refuseYolo(operations: readonly EditRequestOp[]): void {
  if (!operations.some((op) => op.op === 'config' && op.patch.approvalMode === 'yolo')) return
  const message = 'The mode yolo cannot be set over HTTP: choose it at a terminal, or answer what is asked.'
  throw new TreelineError('forbidden', message)
}
