import { TreelineError } from '@treeline/core'
import { detectFormat, readSample } from '@treeline/formats'
import { shellWord } from '../output/shell-word.ts'

/** For work on the bytes of a log: files that are none are taken in by an import first. */
export function refuseTranslated(path: string): void {
  const format = detectFormat(readSample(path))
  if (format?.loadReader === undefined) return
  const message = `${path} is no log but a file of ${format.title}. \`treeline import ${shellWord(path)}\` takes in all that can be read of it.`
  throw new TreelineError('bad_request', message)
}
