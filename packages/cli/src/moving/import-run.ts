import { resolve } from 'node:path'
import { detectFormat, type FormatName, type Imported, importSession, readSample, type Sample } from '@treeline/formats'
import type { Context } from '../context.ts'
import { counted } from '../output/amount.ts'
import { shortId } from '../output/short-id.ts'
import { paint } from '../output/style.ts'
import { noteText, summariseNotes } from './describe-notes.ts'

/** A machine may hold thousands; all of them are told of with `--verbose` and `--json`. */
const MAX_TOLD = 20

export interface ImportSource {
  readonly path: string
  /** Named by the user, rather than found in a folder or by the index. */
  readonly isNamed: boolean
}

export interface ImportRunOptions {
  readonly format?: string
  readonly cwd?: string
  readonly verbose: boolean
}

/** Takes in one file after the other, and tells of each. */
export class ImportRun {
  readonly imported: (Imported & { readonly source: string })[] = []
  /** Files of a folder that nobody recognises, or that hold no more than a header. */
  readonly passedOver: string[] = []
  readonly #context: Context
  readonly #options: ImportRunOptions
  #toldCount = 0

  constructor(context: Context, options: ImportRunOptions) {
    this.#context = context
    this.#options = options
  }

  async take({ path, isNamed }: ImportSource, beforePrint: () => void): Promise<void> {
    const { out, cwd } = this.#context
    const { verbose, ...options } = this.#options
    if (!isNamed && options.format === undefined && isNothing(readSample(path))) {
      this.passedOver.push(path)
      return
    }
    const done = await importSession(await this.#context.store(), path, {
      format: options.format as FormatName | undefined,
      cwd: options.cwd === undefined ? undefined : resolve(cwd, options.cwd),
    })
    this.imported.push({ source: path, ...done })
    const { sessionId, isNew, added, notes, format } = done
    if (!isNew && added === 0 && notes.length === 0 && !isNamed && !verbose) return
    if (++this.#toldCount > MAX_TOLD && !verbose) return
    beforePrint()
    const what = isNew ? `new, ${entries(added)}` : added > 0 ? `${entries(added)} added` : 'nothing new'
    out.print(`${paint('id', shortId(sessionId))}  ${paint(added > 0 ? 'good' : 'faint', what)}  ${format}  ${path}`)
    if (verbose) for (const note of notes) out.print(`    ${noteText(note)}`)
    else if (notes.length > 0) out.print(paint('warn', `    ${summariseNotes(notes)} (--verbose shows them)`))
  }

  tellTotals(failedCount: number): void {
    const { imported, passedOver } = this
    const { out } = this.#context
    const newCount = imported.filter(({ isNew }) => isNew).length
    const grown = imported.filter(({ isNew, added }) => !isNew && added > 0).length
    const told = [
      `${newCount} new`,
      `${grown} with more than before`,
      `${imported.length - newCount - grown} with nothing new`,
      ...(failedCount > 0 ? [`${failedCount} failed`] : []),
      ...(passedOver.length > 0 ? [`${counted(passedOver.length, 'file')} passed over, empty or no sessions`] : []),
    ]
    const untold = this.#options.verbose ? 0 : this.#toldCount - MAX_TOLD
    if (untold > 0) out.print(paint('faint', `and ${counted(untold, 'more session')}; --verbose shows all`))
    const isEmpty = imported.length + failedCount + passedOver.length === 0
    out.print(isEmpty ? 'No sessions were found there.' : `Sessions: ${told.join(', ')}.`)
    const [first, ...others] = imported
    if (first === undefined) return
    const next = others.length > 0 ? 'ls --all --tool treeline' : `tree ${shortId(first.sessionId)}`
    out.print(paint('faint', `Look at ${others.length > 0 ? 'them' : 'it'}: treeline ${next}`))
  }
}

function isNothing(sample: Sample): boolean {
  if (detectFormat(sample) === undefined) return true
  // A document over several lines has no records; a header alone is one.
  const { isWhole, records } = sample
  return isWhole && records.length > 0 && records.every(({ type }) => type === 'session' || type === 'title')
}

function entries(count: number): string {
  return counted(count, 'entry', 'entries')
}
