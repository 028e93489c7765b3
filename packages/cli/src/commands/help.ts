import { defineCommand } from '../args/command.ts'
import { showHelp } from '../show-help.ts'

export const command = defineCommand({
  positionals: [{ name: 'COMMAND', help: 'the command to explain; without it all are listed', optional: true }],
  options: {},
  examples: [['treeline help search', 'how to search']],
  json:
    '{"commands":[{"name","group","summary"}]}; with COMMAND ' +
    '{"name","group","summary","details","positionals","options","examples","json"}',
  run: ({ args: [name], context: { out } }) => showHelp(out, name),
})
