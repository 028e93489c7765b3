import type { Progress } from '@treeline/store'
import type { Context } from '../context.ts'

/** Shows a bar while `work` goes on, and takes it away whatever becomes of it. */
export async function withProgress<T>(
  context: Context,
  label: string,
  work: (onProgress: (progress: Progress) => void) => Promise<T>,
): Promise<T> {
  const bar = context.progress(label)
  try {
    return await work(({ done, total }) => bar.update(done, total))
  } finally {
    bar.end()
  }
}
