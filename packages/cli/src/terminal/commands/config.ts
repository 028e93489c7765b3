import { findSetting, loadSettings, settingKeys, writeSetting } from '@treeline/agent'
import { preview, TreelineError } from '@treeline/core'
import { inOneLine, t } from '../../output/language.ts'
import type { ChatActions } from '../chat-actions.ts'
import { beginWith, splitBegun } from './begin-with.ts'
import { plainTable } from './plain-table.ts'
import { parseSetting, settingText } from './setting-text.ts'
import type { SlashCommand } from './slash-command.ts'
import { splitFirst } from './split-first.ts'

const UNSET = 'unset'
const MAX_PROBLEMS = 5

/** What says otherwise for this chat alone, and at once. */
const AT_ONCE: Readonly<Record<string, string>> = { model: '/model', thinkingLevel: '/thinking', approvalMode: '/mode' }

/** What the agent works with was read when the chat began; what is written here counts when it begins again. */
export const configCommand: SlashCommand = {
  name: 'config',
  args: '[KEY [VALUE]]',
  help: () => t('show the settings, or set one of yours for next time'),
  async complete(_actions, typed) {
    const begun = splitBegun(typed)
    if (begun.words.length === 0) return beginWith(begun, settingKeys())
    return begun.words.length === 1 ? beginWith(begun, ['true', 'false', UNSET]) : []
  },
  async run(actions, rest) {
    const [key, value] = splitFirst(rest)
    if (key === '') return showAll(actions)
    if (value === '') return actions.show(await describe(actions, await read(actions), key))
    await write(actions, key, value)
  },
}

type Resolved = Awaited<ReturnType<typeof loadSettings>>

async function read({ context, cwd }: ChatActions): Promise<Resolved> {
  return loadSettings({ home: await context.home(), cwd, env: context.env })
}

async function showAll(actions: ChatActions): Promise<void> {
  const now = await read(actions)
  const set = [...now.origin.keys()].filter((key) => !settingKeys().includes(key))
  const keys = [...settingKeys().filter((key) => !isObject(now, key)), ...set]
  const rows = keys.map((key) =>
    differs(actions, now, key)
      ? ['*', key, shown(actions, key), t('the start')]
      : ['', key, shown(actions, key), originOf(now, key)],
  )
  const columns = [
    { title: '' },
    { title: t('setting') },
    { title: t('in force'), flexible: true },
    { title: t('from') },
  ] as const
  const isChanged = rows.some(([mark]) => mark === '*')
  const { paths } = await actions.context.home()
  const lines = [
    plainTable(actions, columns, rows),
    ...(isChanged ? [t('* by a flag, or set otherwise since the chat was started: /config KEY tells.')] : []),
    t('Set one: /config KEY VALUE; unset as VALUE brings the default back.'),
    t('Yours are in {file}', { file: paths.settingsFile }),
  ]
  actions.show(lines.join('\n'))
  for (const { message } of now.problems.slice(0, MAX_PROBLEMS)) actions.warn(message)
}

async function describe(actions: ChatActions, now: Resolved, key: string): Promise<string> {
  refuseUnknown(now, key)
  const values = { key, value: shown(actions, key), origin: originOf(now, key) }
  if (!differs(actions, now, key)) return t('{key}: {value} (from: {origin})', values)
  const next = settingText(key, findSetting(now.settings, key))
  return t('{key}: {value} in this chat; from the next start on {next} (from: {origin}).', { ...values, next })
}

async function write(actions: ChatActions, key: string, typed: string): Promise<void> {
  const home = await actions.context.home()
  if (typed === UNSET) await writeSetting(home, key, undefined)
  else await writeFirst(parseSetting(typed), (value) => writeSetting(home, key, value))
  const now = await read(actions)
  const next = settingText(key, findSetting(now.settings, key))
  const told = [t('Written. From the next start on {key} is {next}.', { key, next })]
  const origin = now.origin.get(key)
  if (origin !== undefined && origin !== 'user') {
    told.push(t('What is yours does not count here: the {origin} comes first.', { origin: originOf(now, key) }))
  }
  const command = Object.hasOwn(AT_ONCE, key) ? AT_ONCE[key] : undefined
  if (command !== undefined) told.push(t('For this chat, at once: {command}.', { command }))
  actions.show(inOneLine(told))
}

/** `5` is a number, unless the setting wants text. The first refusal says what it must be. */
async function writeFirst(values: readonly unknown[], set: (value: unknown) => Promise<void>): Promise<void> {
  let refusal: unknown
  for (const value of values) {
    try {
      return await set(value)
    } catch (error) {
      refusal ??= error
    }
  }
  throw refusal
}

function refuseUnknown({ origin, settings }: Resolved, key: string): void {
  const isKnown = settingKeys().includes(key) || origin.has(key) || findSetting(settings, key) !== undefined
  if (isKnown) return
  const shownKey = preview(key, 60)
  throw new TreelineError('bad_request', t('There is no setting {key}. /config lists them.', { key: shownKey }))
}

function shown({ agent }: ChatActions, key: string): string {
  return settingText(key, findSetting(agent.env.settings, key))
}

/** Whether this chat works with something else than is set now. */
function differs({ agent }: ChatActions, { settings }: Resolved, key: string): boolean {
  return JSON.stringify(findSetting(agent.env.settings, key)) !== JSON.stringify(findSetting(settings, key))
}

/** Providers, models and roles: what is set in them is listed key by key. */
function isObject({ settings, origin }: Resolved, key: string): boolean {
  const value = findSetting(settings, key)
  return typeof value === 'object' && !Array.isArray(value) && [...origin.keys()].some((set) => set.startsWith(key))
}

function originOf({ origin }: Resolved, key: string): string {
  switch (origin.get(key)) {
    case 'flag':
      return t('flag')
    case 'environment':
      return t('environment')
    case 'project':
      return t('project')
    case 'user':
      return t('you')
    default:
      return t('default')
  }
}
