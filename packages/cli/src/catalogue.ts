import type { Command } from './args/command.ts'

export interface Listed {
  readonly group: 'Talk' | 'See' | 'Change' | 'Keep in order' | 'Move' | 'Other'
  /** One line for the overview. */
  readonly summary: string
  /** Only the command that is called is loaded. */
  readonly load: () => Promise<{ readonly command: Command }>
}

export const catalogue: Readonly<Record<string, Listed>> = {
  chat: {
    group: 'Talk',
    summary: 'ask a model, in a session that is kept; "chat" may be left out',
    load: () => import('./commands/chat.ts'),
  },
  serve: {
    group: 'Talk',
    summary: 'serve the sessions over HTTP, to a browser and to programs',
    load: () => import('./commands/serve.ts'),
  },
  ls: {
    group: 'See',
    summary: 'list sessions, of every tool found in its usual place',
    load: () => import('./commands/ls.ts'),
  },
  search: { group: 'See', summary: 'find what was said, in any session', load: () => import('./commands/search.ts') },
  show: { group: 'See', summary: 'read the trunk, or one node', load: () => import('./commands/show.ts') },
  tree: { group: 'See', summary: 'draw the tree of a session', load: () => import('./commands/tree.ts') },
  branches: { group: 'See', summary: 'list the branches of a session', load: () => import('./commands/branches.ts') },
  line: {
    group: 'See',
    summary: 'what the model would get from here, and why',
    load: () => import('./commands/line.ts'),
  },
  context: {
    group: 'See',
    summary: 'the messages of a path as they are stored',
    load: () => import('./commands/context.ts'),
  },
  diff: {
    group: 'See',
    summary: 'compare two branches from where they part',
    load: () => import('./commands/diff.ts'),
  },
  stats: {
    group: 'See',
    summary: 'tokens and cost by session, branch, model and day',
    load: () => import('./commands/stats.ts'),
  },
  history: { group: 'See', summary: 'search the prompts you typed', load: () => import('./commands/history.ts') },
  models: {
    group: 'See',
    summary: 'list models: what they hold, what they cost, which can be used',
    load: () => import('./commands/models.ts'),
  },
  doctor: {
    group: 'See',
    summary: 'check a file, or everything, for damage',
    load: () => import('./commands/doctor.ts'),
  },
  mute: { group: 'Change', summary: 'leave nodes out of the line', load: () => import('./commands/mute.ts') },
  unmute: { group: 'Change', summary: 'put muted nodes back', load: () => import('./commands/unmute.ts') },
  prune: {
    group: 'Change',
    summary: 'cut what follows a node into the stash',
    load: () => import('./commands/prune.ts'),
  },
  graft: {
    group: 'Change',
    summary: 'put a stashed or other node under another',
    load: () => import('./commands/graft.ts'),
  },
  switch: { group: 'Change', summary: 'move the leaf to another branch', load: () => import('./commands/switch.ts') },
  label: { group: 'Change', summary: 'name a node, or take its name away', load: () => import('./commands/label.ts') },
  rename: { group: 'Change', summary: 'name a session', load: () => import('./commands/rename.ts') },
  undo: { group: 'Change', summary: 'take back the last edit', load: () => import('./commands/undo.ts') },
  redo: { group: 'Change', summary: 'do again what was taken back', load: () => import('./commands/redo.ts') },
  fork: { group: 'Change', summary: 'make a new session from a path', load: () => import('./commands/fork.ts') },
  trash: { group: 'Keep in order', summary: 'move sessions to the trash', load: () => import('./commands/trash.ts') },
  restore: {
    group: 'Keep in order',
    summary: 'bring back from the trash',
    load: () => import('./commands/restore.ts'),
  },
  purge: { group: 'Keep in order', summary: 'empty the trash for good', load: () => import('./commands/purge.ts') },
  gc: {
    group: 'Keep in order',
    summary: 'what takes the space, and what can go',
    load: () => import('./commands/gc.ts'),
  },
  backup: {
    group: 'Keep in order',
    summary: 'copy everything, consistently',
    load: () => import('./commands/backup.ts'),
  },
  'restore-backup': {
    group: 'Keep in order',
    summary: 'bring a backup back',
    load: () => import('./commands/restore-backup.ts'),
  },
  repair: {
    group: 'Keep in order',
    summary: 'write a sound copy of a damaged session',
    load: () => import('./commands/repair.ts'),
  },
  scrub: {
    group: 'Keep in order',
    summary: 'remove a secret for good, everywhere',
    load: () => import('./commands/scrub.ts'),
  },
  import: { group: 'Move', summary: "take in another tool's sessions", load: () => import('./commands/import.ts') },
  export: {
    group: 'Move',
    summary: 'write a session as jsonl, pi, neovate, comfytavern, generic, markdown, json or html',
    load: () => import('./commands/export.ts'),
  },
  auth: {
    group: 'Other',
    summary: 'keys of model providers: list, set, remove',
    load: () => import('./commands/auth.ts'),
  },
  token: {
    group: 'Other',
    summary: 'who may ask treeline serve: list, create, revoke',
    load: () => import('./commands/token.ts'),
  },
  completion: {
    group: 'Other',
    summary: 'completion for bash, zsh and fish',
    load: () => import('./commands/completion.ts'),
  },
  help: { group: 'Other', summary: 'help for a command', load: () => import('./commands/help.ts') },
}
