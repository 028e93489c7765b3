import { TreelineError } from '@treeline/core'
import { comfytavern } from './comfytavern/format.ts'
import type { Format, FormatName, Writer, WriterName } from './format.ts'
import { generic } from './generic/format.ts'
import { neovate } from './neovate/format.ts'
import { omp } from './omp/format.ts'
import { pi } from './pi/format.ts'
import type { Sample } from './sample.ts'
import { xcsh } from './xcsh/format.ts'

/** Every format that is read. Of two that are equally sure of a file the first has it. */
export const formats: readonly Format[] = [pi, omp, xcsh, neovate, comfytavern, generic]

export function findFormat(name: string): Format {
  const format = formats.find((known) => known.name === name)
  if (format !== undefined) return format
  const names = formats.map((known) => known.name).join(', ')
  throw new TreelineError('validation_failed', `There is no format ${JSON.stringify(name)}. Choose one of ${names}.`)
}

/** Whose file it is; `undefined` when nobody recognises it. */
export function detectFormat(sample: Sample): Format | undefined {
  let best: { readonly format: Format; readonly sureness: number } | undefined
  for (const format of formats) {
    const sureness = format.detect(sample)
    if (sureness > (best?.sureness ?? 0)) best = { format, sureness }
  }
  return best?.format
}

/** Loaded when one is asked for: an export needs one of them, every other command none. */
const writers: Readonly<Record<WriterName, () => Promise<Writer>>> = {
  jsonl: async () => (await import('./jsonl/write.ts')).jsonlWriter,
  pi: async () => (await import('./pi/write.ts')).piWriter,
  neovate: async () => (await import('./neovate/write.ts')).neovateWriter,
  generic: async () => (await import('./generic/write.ts')).genericWriter,
  comfytavern: async () => (await import('./comfytavern/write.ts')).comfytavernWriter,
  markdown: async () => (await import('./markdown/write.ts')).markdownWriter,
  json: async () => (await import('./json/write.ts')).jsonWriter,
  html: async () => (await import('./html/write.ts')).htmlWriter,
}

export const writerNames = Object.keys(writers) as readonly WriterName[]

export async function loadWriter(name: string): Promise<Writer> {
  if (Object.hasOwn(writers, name)) return writers[name as WriterName]()
  const message = `Nothing can be written as ${JSON.stringify(name)}. Choose one of ${writerNames.join(', ')}.`
  throw new TreelineError('validation_failed', message)
}

/** Logs of the Pi family are opened where they are; the rest is translated first. */
export function isLog(name: FormatName): boolean {
  return name === 'treeline' || formats.some((format) => format.name === name && format.loadReader === undefined)
}
