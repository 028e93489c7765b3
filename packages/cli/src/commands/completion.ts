import { previewColumns } from '@treeline/core'
import { defineCommand } from '../args/command.ts'
import { bashScript } from '../completion/bash-script.ts'
import { describeCommands } from '../completion/described-command.ts'
import { fishScript } from '../completion/fish-script.ts'
import { zshScript } from '../completion/zsh-script.ts'
import type { Context } from '../context.ts'
import { nameSessions } from '../listing/session-names.ts'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const
/** What the scripts ask while somebody types. */
const SESSIONS = 'sessions'
const MAX_SESSIONS = 50

export const command = defineCommand({
  positionals: [{ name: 'SHELL', help: 'bash, zsh or fish', choices: [...Object.keys(SCRIPTS), SESSIONS] }],
  options: {},
  details:
    'Prints a script for a shell. The script completes commands, options, their values, files, and the ids of ' +
    `sessions, for which it asks \`treeline completion ${SESSIONS}\`.`,
  examples: [
    ['eval "$(treeline completion bash)"', 'in ~/.bashrc'],
    ['eval "$(treeline completion zsh)"', 'in ~/.zshrc, after compinit'],
    ['treeline completion fish > ~/.config/fish/completions/treeline.fish', 'once, for fish'],
  ],
  json: '{"shell","script"}; for sessions {"sessions":[{"id","title"}]}',
  async run({ args: [shell], context }) {
    if (shell === SESSIONS) return listSessions(context)
    const script = SCRIPTS[shell as keyof typeof SCRIPTS](await describeCommands())
    context.out.json({ shell, script })
    if (!context.out.isJson) await context.out.raw(script)
    return 0
  },
})

/** At once, from what the index knows: somebody waits with a finger on a key. */
async function listSessions({ index, out }: Context): Promise<number> {
  const known = await index()
  const { sessions } = await known.list({ limit: MAX_SESSIONS })
  const nameOf = await nameSessions(
    known,
    sessions.map(({ id }) => id),
  )
  const listed = sessions.flatMap(({ id, name, firstPrompt }) => {
    return id === undefined ? [] : [{ id: nameOf(id), title: previewColumns(name ?? firstPrompt ?? '', 60) }]
  })
  out.json({ sessions: listed })
  // A short id with spaces in it would be several words.
  for (const { id, title } of listed) if (/^[\w.-]+$/.test(id)) out.print(`${id}\t${title}`)
  return 0
}
