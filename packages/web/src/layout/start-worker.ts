let prepared: Worker | undefined

/** Has a worker loaded while the tree it is for is still on its way. */
export function prepareLayoutWorker(): void {
  prepared ??= start()
}

/** The one that was prepared, or a new one. Whoever takes it ends it. */
export function takeLayoutWorker(): Worker {
  const worker = prepared ?? start()
  prepared = undefined
  return worker
}

function start(): Worker {
  return new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' })
}
