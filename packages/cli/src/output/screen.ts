import { fstatSync, writeSync } from 'node:fs'

/** What is printed to. */
export interface Screen {
  write(text: string | Uint8Array, done?: (error?: Error | null) => void): unknown
  /** Hands on what waits: whoever reads what is still going on wants it now. */
  flush?(): void
  readonly isTTY?: boolean
  readonly columns?: number
}

const BUFFER_CHARS = 32 * 1024
const PAUSE_MS = 1

/**
 * Standard output and error. To a terminal through Node's streams; to a pipe or a file without them, because loading them
 * takes as long as a small command does. What goes to such a file is written in pieces, the rest at the end.
 */
export function openScreens(): { readonly stdout: Screen; readonly stderr: Screen } {
  let waiting = ''
  const flush = (): void => {
    const text = waiting
    waiting = ''
    if (text !== '') writeAll(1, text)
  }
  process.on('exit', flush)
  const stdout: Screen = {
    isTTY: false,
    flush,
    write(text, done) {
      if (typeof text === 'string') waiting += text
      if (waiting.length > BUFFER_CHARS || typeof text !== 'string') flush()
      if (typeof text !== 'string') writeAll(1, text)
      done?.()
    },
  }
  const stderr: Screen = {
    isTTY: false,
    write(text, done) {
      flush()
      writeAll(2, text)
      done?.()
    },
  }
  // A terminal is a device; so are some others, for which the streams do no harm.
  return { stdout: isDevice(1) ? process.stdout : stdout, stderr: isDevice(2) ? process.stderr : stderr }
}

function isDevice(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice()
  } catch {
    // Closed; Node's streams know how to live with that.
    return true
  }
}

function writeAll(fd: number, text: string | Uint8Array): void {
  let bytes = typeof text === 'string' ? Buffer.from(text) : text
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // Whoever reads our output may have had enough: `treeline ls | head`.
      if (code === 'EPIPE') process.exit(0)
      // The other end of a pipe reads slower than we write.
      if (code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
    }
  }
}
