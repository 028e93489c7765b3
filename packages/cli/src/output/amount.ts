const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** `1,234,567`, everywhere the same, whatever the machine's language is. */
export function numberText(value: number | string): string {
  const [whole = '', ...fraction] = String(value).split('.')
  // Not `Intl`, which takes longer to load than a command takes.
  return [whole.replace(/\B(?=(?:\d{3})+$)/g, ','), ...fraction].join('.')
}

/**
 * A number with what it counts.
 *
 * @example
 * counted(1, 'node') // '1 node'
 * counted(2, 'entry', 'entries') // '2 entries'
 */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${numberText(value)} ${value === 1 ? one : many}`
}

/** Three digits and a unit of 1,000: `1.21 MB`, `34.5 KB`, `512 B`. */
export function bytesText(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000
    unit++
  }
  return `${unit === 0 ? String(size) : shortNumber(size)} ${UNITS[unit]}`
}

function shortNumber(size: number): string {
  return size >= 99.95 ? size.toFixed(0) : size >= 9.995 ? size.toFixed(1) : size.toFixed(2)
}
