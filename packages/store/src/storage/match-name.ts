/**
 * Whether a file name matches a pattern with one `*`: `*`, `*.jsonl`, `2026-*`. As in a shell, `*` in front matches no
 * name that starts with a dot, so half-written temp files are never listed.
 */
export function matchName(name: string, pattern: string): boolean {
  const [prefix = '', suffix, more] = pattern.split('*')
  if (suffix === undefined || more !== undefined) throw new TypeError(`the pattern '${pattern}' must hold one *`)
  if (prefix === '' && name.startsWith('.')) return false
  return name.length >= prefix.length + suffix.length && name.startsWith(prefix) && name.endsWith(suffix)
}
