import { parseArgs } from 'node:util'
import { waitForKey } from './tour/keys.ts'
import { MARGIN, rule, wrap } from './tour/layout.ts'
import { createPaint, type Paint } from './tour/paint.ts'
import { tourSteps } from './tour/script.ts'

const HELP = `A short tour of what Treeline does, with a small conversation.

Usage: npm run tour [-- --no-pause]

  --no-pause  print everything at once, as without a terminal or in CI
  --help      show this

Enter goes on, q leaves. NO_COLOR=1 turns colours off.`

const HINT = 'Enter: go on   q: quit'
const ERASE_LINE = '\r\u001b[2K'

async function runTour(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  if (options === undefined) return 2
  if (options.help) {
    print([HELP])
    return 0
  }
  const { stdin, stdout, env } = process
  const hasColour = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
  const paint = createPaint(hasColour)
  // Some CI systems give their jobs a terminal at which nobody sits.
  const pauses = !options.noPause && !env.CI && stdin.isTTY === true && stdout.isTTY === true

  print([
    '',
    indent(paint('strong', 'Treeline')),
    indent('Every conversation is a tree. Every prompt is a line through it.'),
  ])
  const steps = [...tourSteps(paint)]
  for (const [i, { title, lines, logLines }] of steps.entries()) {
    const heading = rule(`${i + 1} of ${steps.length} · ${title}`, `log: ${logLines} lines`)
    print(['', paint('title', heading), '', ...lines.map(indent)])
    if (!pauses) continue
    stdout.write(`\n${indent(paint('faint', HINT))}`)
    const answer = await waitForKey(stdin)
    stdout.write(ERASE_LINE)
    if (answer === 'interrupt') return 130
    if (answer === 'quit') return 0
  }
  print(farewell(paint))
  return 0
}

function readOptions(args: readonly string[]): { readonly help: boolean; readonly noPause: boolean } | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { help: { type: 'boolean', short: 'h' }, 'no-pause': { type: 'boolean' } },
    })
    return { help: values.help ?? false, noPause: values['no-pause'] ?? false }
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${HELP}`)
    return undefined
  }
}

function farewell(paint: Paint): string[] {
  const next =
    'This is the engine: entries, tree, edits and the line. On it stand sessions kept on disk, models that answer, the ' +
    'treeline command, its chat and its server. The tree in your browser is still to come.'
  return [
    '',
    paint('title', rule('What comes next')),
    '',
    ...wrap(next).map(indent),
    '',
    indent('npm start               your sessions over HTTP; the demo needs no key'),
    indent('npm start -- chat       the chat, in a terminal'),
    indent('ARCHITECTURE.md         how it hangs together'),
    indent('packages/core/SPEC.md   what it promises'),
    indent('packages/cli/src/tour   how this tour calls it'),
    indent('CONTRIBUTING.md         where your change goes'),
    '',
  ]
}

function indent(line: string): string {
  return line === '' ? '' : MARGIN + line
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

// `npm run tour | head` closes the pipe early; that is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})
process.exitCode = await runTour(process.argv.slice(2))
