import { numberText } from '../output/amount.ts'

const THOUSAND = 1000
const UNITS = ['k', 'M', 'G', 'T'] as const

/** `1,234`, `45.2k`, `1.23M`: tokens are many, and nobody reads their last digits. */
export function tokensText(tokens: number): string {
  if (tokens < 10 * THOUSAND) return numberText(Math.round(tokens))
  let size = tokens / THOUSAND
  let unit = 0
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= THOUSAND
    unit++
  }
  const digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2
  return `${size.toFixed(digits)}${UNITS[unit]}`
}

/** In US dollars, as the tools recorded it; `-` where nothing was. */
export function costText(cost: number): string {
  if (cost === 0) return '-'
  if (cost < 0.0001) return '<$0.0001'
  const digits = cost < 0.1 ? 4 : 2
  return `$${numberText(cost.toFixed(digits))}`
}
