import { styleText } from 'node:util'

/** Colours that say again what shapes and words say already, so that nothing is lost without them. */
const STYLES = {
  title: ['bold', 'cyan'],
  trunk: ['green'],
  out: ['yellow'],
  faint: ['dim'],
  strong: ['bold'],
} as const

export type Paint = (style: keyof typeof STYLES, text: string) => string

export function createPaint(enabled: boolean): Paint {
  // The caller has looked at the stream; looking again here would tie the text to process.stdout.
  return (style, text) => (enabled ? styleText([...STYLES[style]], text, { validateStream: false }) : text)
}
