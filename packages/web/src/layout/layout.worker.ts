import { createLayoutWorker } from './layout-worker.ts'
import { buffersOf, type LayoutAnswer, type LayoutRequest } from './messages.ts'

interface WorkerScope {
  onmessage: ((event: { readonly data: LayoutRequest }) => void) | null
  postMessage(answer: LayoutAnswer, transfer: ArrayBuffer[]): void
}

// The types of a page and of a worker cannot stand in one project.
const scope = globalThis as unknown as WorkerScope

const take = createLayoutWorker({
  post: (answer) => scope.postMessage(answer, buffersOf(answer)),
  later: (run) => void setTimeout(run, 0),
})
scope.onmessage = ({ data }) => take(data)
