import { catalogue } from '../catalogue.ts'
import { usageOf } from '../help.ts'

/** `docs/cli.md`: what every command is called with and what programs get from it, from the commands themselves. */
export async function cliPage(): Promise<string> {
  const parts = [INTRODUCTION]
  const told = new Map<string, string>()
  let before = ''
  for (const [name, { group, summary, load }] of Object.entries(catalogue)) {
    const { command } = await load()
    if (group !== before) parts.push(`## ${group}`)
    before = group
    parts.push(`### ${name}`, `${summary[0]!.toUpperCase()}${summary.slice(1)}.`)
    parts.push(`\`\`\`\n${usageOf(name, command)}\n\`\`\``)
    const [same, other] = [...told].find(([json]) => command.json.startsWith(json)) ?? []
    const own = same === undefined ? command.json : `As \`${other}\`${command.json.slice(same.length)}`
    for (const line of own.split('\n')) parts.push(jsonText(line))
    if (same === undefined) told.set(command.json, name)
  }
  return `${parts.join('\n\n')}\n`
}

/** Documents as code, the words about them as words. */
function jsonText(line: string): string {
  let text = ''
  for (let at = 0; at < line.length; ) {
    const end = line.startsWith('{"', at) ? endOfObject(line, at) : at + 1
    text += end > at + 1 ? `\`${line.slice(at, end)}\`` : line[at]
    at = end
  }
  return text
}

function endOfObject(line: string, from: number): number {
  let depth = 0
  for (let at = from; at < line.length; at++) {
    if (line[at] === '{') depth++
    if (line[at] === '}' && --depth === 0) return at + 1
  }
  return line.length
}

const INTRODUCTION = `# The command line for programs

\`treeline <command> --json\` prints one JSON document on standard output. What went on beside the answer is on the error
stream, as text; an error is \`{"error":{"code","message",…}}\` there, and the exit code says what kind it is: 2 asked
wrongly, 3 not found, 4 in the way of something, 5 not allowed, 6 damaged, 7 a provider, 8 no room, 130 stopped, 1 a bug.
Fields are added, never renamed or taken away. \`?\` marks what may be absent, \`|null\` what may be unknown, \`…\` more of the
same. \`treeline <command> --help\` explains options and gives examples.

A session (FILE) is named by its path, its id, or the beginning or end of its id (or both: \`019c65aa..00000009\`), and a node
(NODE) by its id, the beginning or end of it, its label, or \`leaf\`.

This page is written by a test from what the commands say of themselves: \`npx vitest run packages/cli/src/docs.test.ts -u\`.`
