import { spawn } from 'node:child_process'
import type { ClipboardTool } from './tools.ts'

/** A tool that waits for a display that does not answer is not waited for. */
const TIMEOUT_MS = 3_000

/** Whether it took the text. Never rejects: a tool that is not there, or fails, says no. */
export function runTool(
  { file, args, encoding }: ClipboardTool,
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(file, [...args], { env, stdio: ['pipe', 'ignore', 'ignore'], timeout: TIMEOUT_MS })
    child.on('error', () => resolve(false))
    // Some go on behind, to hand the text out: their end is not waited for.
    child.on('exit', (code) => resolve(code === 0))
    // One that ends early closes its input.
    child.stdin.on('error', () => {})
    child.stdin.end(Buffer.from(text, encoding ?? 'utf8'))
  })
}
