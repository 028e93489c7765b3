import { closeSync, openSync, readSync } from 'node:fs'
import { TreelineError } from '@treeline/core'
import { findBlobFolders, type OpenedFile, openSessionFile } from '@treeline/formats'
import { checkLog, type Finding, type LogDiagnosis } from '@treeline/store'
import type { Context } from '../context.ts'
import { type FileReport, reportOfLog, reportOfTranslation } from './file-report.ts'

export interface CheckedFile {
  readonly path: string
  readonly report: FileReport
  /** Missing for a file of a format that is translated. */
  readonly diagnosis: LogDiagnosis | undefined
  readonly format: OpenedFile['format'] | undefined
}

/** Reads every byte of a session file, whichever tool wrote it. Changes nothing. */
export async function checkFile(context: Context, path: string): Promise<CheckedFile> {
  const recognised = await recognise(context, path)
  if (recognised?.translation !== undefined) {
    const { translation, format } = recognised
    return { path, report: reportOfTranslation(translation), diagnosis: undefined, format }
  }
  const bar = context.progress('Checking')
  try {
    const checked = await checkLog(await context.home(), path, {
      blobFolders: findBlobFolders(path),
      onProgress: bar.update,
      signal: context.signal,
    })
    const diagnosis = { ...checked, findings: checked.findings.map((finding) => withLine(path, finding)) }
    return { path, report: reportOfLog(diagnosis), diagnosis, format: recognised?.format }
  } finally {
    bar.end()
  }
}

/** Whose file it is. One that is too damaged to be opened is looked at as a log, byte by byte. */
async function recognise(
  context: Context,
  path: string,
): Promise<Pick<OpenedFile, 'format' | 'translation'> | undefined> {
  try {
    await using opened = await openSessionFile(await context.store(), path, { readOnly: true })
    const { format, translation } = opened
    return { format, translation }
  } catch (error) {
    const isDamaged = error instanceof TreelineError && (error.code === 'damaged' || error.code === 'invalid_header')
    if (isDamaged) return undefined
    throw error
  }
}

const CHUNK_BYTES = 256 * 1024
const LINE_FEED = 10

/** What was cut short at the end is found by its place; people count in lines. */
function withLine(path: string, finding: Finding): Finding {
  const { code, offset, line } = finding
  if (code !== 'torn_tail' || offset === undefined || line !== undefined) return finding
  return { ...finding, line: lineAt(path, offset) }
}

function lineAt(path: string, offset: number): number {
  const fd = openSync(path, 'r')
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES)
    let line = 1
    for (let at = 0; at < offset; ) {
      const count = readSync(fd, chunk, 0, Math.min(CHUNK_BYTES, offset - at), at)
      if (count === 0) break
      for (let i = chunk.indexOf(LINE_FEED); i >= 0 && i < count; i = chunk.indexOf(LINE_FEED, i + 1)) line++
      at += count
    }
    return line
  } finally {
    closeSync(fd)
  }
}
