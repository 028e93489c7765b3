import { execFile } from 'node:child_process'

/** What a program on this machine gave. */
export type ToolAnswer =
  | { readonly type: 'bytes'; readonly bytes: Buffer }
  | { readonly type: 'missing' }
  | { readonly type: 'failed' }
  | { readonly type: 'tooLarge' }

const TIMEOUT_MS = 5_000
/** Larger images no provider takes; as hexadecimal digits they are twice as long. */
const MAX_BYTES = 2 * 20 * 1024 * 1024 + 1024

/** Runs it without a shell, for so long and so much. */
export function runTool(file: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<ToolAnswer> {
  return new Promise((resolve) => {
    const options = {
      encoding: 'buffer',
      timeout: TIMEOUT_MS,
      maxBuffer: MAX_BYTES,
      env,
      killSignal: 'SIGKILL',
    } as const
    const child = execFile(file, words, options, (error, bytes) => {
      if (error === null) resolve({ type: 'bytes', bytes })
      else if (error.code === 'ENOENT') resolve({ type: 'missing' })
      else resolve({ type: error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER' ? 'tooLarge' : 'failed' })
    })
    child.stdin?.on('error', () => {})
    child.stdin?.end()
  })
}
