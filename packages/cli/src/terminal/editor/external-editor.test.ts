import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempFolder } from '../../testing/run-treeline.ts'
import { editElsewhere, externalEditorOf } from './external-editor.ts'

/** An editor that is a script; it sees the file as `$1`, or as what follows its own words. */
function editor(script: string): string {
  const path = join(tempFolder(), 'my-editor')
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

const env = { PATH: process.env.PATH }

describe('the user’s own editor', () => {
  test('gets the text and gives it back, without the line end that editors add', async () => {
    const EDITOR = editor('echo " and more" >> "$1"')
    expect(await editElsewhere('some text', { ...env, EDITOR })).toBe('some text and more')
  })

  test('may have words behind its name', async () => {
    const EDITOR = `${editor('[ "$1" = --wait ] && printf waited > "$2"')} --wait`
    expect(await editElsewhere('', { ...env, EDITOR })).toBe('waited')
  })

  test('K5 nobody else can read the file, and it is gone afterwards', async () => {
    const log = join(tempFolder(), 'log')
    const EDITOR = editor(`ls -ld "$(dirname "$1")" "$1" > ${log}; echo "$1" >> ${log}`)
    await editElsewhere('a secret', { ...env, EDITOR })
    const [folder, file, path] = readFileSync(log, 'utf8').split('\n')
    expect(folder).toMatch(/^drwx------/)
    expect(file).toMatch(/^-rw-------/)
    expect(existsSync(path!)).toBe(false)
  })

  test('one that fails or is missing is told of, and leaves no file', async () => {
    const log = join(tempFolder(), 'log')
    const EDITOR = editor(`echo "$1" > ${log}; exit 3`)
    await expect(editElsewhere('text', { ...env, EDITOR })).rejects.toThrow('ended with 3')
    expect(existsSync(readFileSync(log, 'utf8').trim())).toBe(false)
    await expect(editElsewhere('text', { ...env, EDITOR: 'no-such-editor-here' })).rejects.toThrow('was not found')
  })

  test('VISUAL comes before EDITOR, and vi when there is neither', () => {
    expect(externalEditorOf({ VISUAL: 'a', EDITOR: 'b' }, 'linux')).toBe('a')
    expect(externalEditorOf({ VISUAL: ' ', EDITOR: 'b -w' }, 'linux')).toBe('b -w')
    expect(externalEditorOf({}, 'linux')).toBe('vi')
  })
})
