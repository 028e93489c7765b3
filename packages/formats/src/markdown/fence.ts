/** A code block that nothing in the text can end: its fence is longer than any run of backticks inside. */
export function fenced(text: string, language = ''): string {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}${language}\n${text.replace(/\n+$/, '')}\n${fence}`
}
