import { TreelineError } from '@treeline/core'
import { defineCommand } from '../args/command.ts'
import { checkFile } from '../doctor/check-file.ts'
import { checkWholeHome } from '../doctor/check-whole-home.ts'
import { showFile } from '../doctor/show-file.ts'
import { findTarget } from '../target.ts'

/** As the table of errors has it for `damaged`. */
const DAMAGED_EXIT = 6

export const command = defineCommand({
  positionals: [
    { name: 'FILE', help: 'one session: its path, id or part of its id', optional: true, completes: 'session' },
  ],
  options: {
    deep: { type: 'boolean', help: 'without FILE: also hash every blob and read all of the history' },
    fix: { type: 'boolean', help: 'without FILE: set modes right, remove leftovers of unfinished writes' },
    yes: { type: 'boolean', short: 'y', help: 'with --fix: do not ask' },
  },
  details:
    'Reads every byte and says what is wrong, where, and what to do. With FILE one session, of any tool; ' +
    `without, everything under Treeline's home. A file is never changed: \`treeline repair\` writes a ` +
    `sound copy. Ends with 0 when all can be read, with ${DAMAGED_EXIT} when something is damaged.`,
  examples: [
    ['treeline doctor', "Treeline's own sessions, index, history, blobs"],
    ['treeline doctor ~/.pi/agent/sessions/--work--/s.jsonl', "one file of Pi's"],
    ['treeline doctor --fix', 'shows what it would mend, asks, mends it'],
  ],
  json:
    '{"ok","entries","damage":[{"offset","length","line","reason"}],"warnings":[{"reason","message",' +
    '"line","offset","length","id"}]}. Without FILE: ' +
    '{"ok","sessions","logs":[{"path","sessionId","ok","entries","damage","warnings"}],"damage",' +
    '"warnings","unlisted","fixes":{"closed","removed","failed"}}; "logs" are those about which there is ' +
    'something to say.',
  async run({ args: [file], options, context }) {
    if (file === undefined) return (await checkWholeHome(context, options)) ? 0 : DAMAGED_EXIT
    if (options.fix || options.deep) {
      const name = options.fix ? '--fix' : '--deep'
      const message = `${name} is for all of Treeline's home, without FILE. \`treeline repair FILE\` mends one file.`
      throw new TreelineError('bad_request', message)
    }
    const checked = await checkFile(context, await findTarget(context, file))
    context.out.json(checked.report)
    showFile(context, checked)
    return checked.report.ok ? 0 : DAMAGED_EXIT
  },
})
