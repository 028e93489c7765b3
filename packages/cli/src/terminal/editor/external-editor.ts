import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TreelineError } from '@treeline/core'
import { t } from '../../output/language.ts'

type Env = Readonly<Record<string, string | undefined>>

/** More than a prompt can be. */
const MAX_BYTES = 10_000_000

/** The user's own editor, as other programs find it. It may have words behind it: `code --wait`. */
export function externalEditorOf(env: Env, platform: NodeJS.Platform = process.platform): string {
  return env.VISUAL?.trim() || env.EDITOR?.trim() || (platform === 'win32' ? 'notepad' : 'vi')
}

/**
 * Lets a text be written in the user's own editor, and gives what it left. Nobody else can read the file (K5), and it is gone
 * afterwards. Throws what went wrong; the text is then as it was.
 */
export async function editElsewhere(text: string, env: Env): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'treeline-'))
  try {
    const path = join(folder, 'prompt.md')
    await writeFile(path, text, { mode: 0o600, flag: 'wx' })
    await runEditor(externalEditorOf(env), path, env)
    if ((await stat(path)).size > MAX_BYTES) {
      throw new TreelineError('payload_too_large', t('What was written is too long for a prompt.'))
    }
    return (await readFile(path, 'utf8')).replace(/\r?\n$/, '')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runEditor(editor: string, path: string, env: Env): Promise<void> {
  const giveBack = ignoreInterrupts()
  try {
    await new Promise<void>((resolve, reject) => {
      // The setting is a command line of the user's own; the path is no part of it. The shell outlives what interrupts it.
      const child =
        process.platform === 'win32'
          ? spawn(editor, [`"${path}"`], { stdio: 'inherit', shell: true, env })
          : spawn('/bin/sh', ['-c', `trap : INT; ${editor} "$1"`, 'sh', path], { stdio: 'inherit', env })
      child.on('error', reject)
      child.on('close', (code, signal) => {
        if (code === 0) return resolve()
        const end = signal ?? String(code)
        const said = t('{editor} ended with {end}. The text is as it was.', { editor, end })
        reject(new TreelineError('bad_request', code === 127 ? missingText(editor) : said))
      })
    })
  } finally {
    giveBack()
  }
}

function missingText(editor: string): string {
  return t('{editor} was not found. Set EDITOR to an editor you have.', { editor })
}

/** Ctrl+C in the editor reaches us too, for we share its terminal; it is not meant for us. */
function ignoreInterrupts(): () => void {
  const before = process.rawListeners('SIGINT')
  const ignore = (): void => {}
  process.removeAllListeners('SIGINT')
  process.on('SIGINT', ignore)
  return () => {
    process.off('SIGINT', ignore)
    for (const listener of before) process.on('SIGINT', listener as () => void)
  }
}
