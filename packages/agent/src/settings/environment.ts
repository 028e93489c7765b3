import { type CheckedSettings, checkSettings } from './check-settings.ts'

type Env = Readonly<Record<string, string | undefined>>
type ReadText = (text: string) => unknown

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/
const ON: readonly string[] = ['on', 'true', 'yes', '1']
const OFF: readonly string[] = ['off', 'false', 'no', '0']

// What cannot be read stays text: the check then says what it must be.
const asText: ReadText = (text) => text
const asNumber: ReadText = (text) => (NUMBER.test(text.trim()) ? Number(text) : text)
const asSwitch: ReadText = (text) => {
  const word = text.trim().toLowerCase()
  return ON.includes(word) ? true : OFF.includes(word) ? false : text
}
const asList: ReadText = (text) => text.split(',').map((item) => item.trim())

const VARIABLES: Readonly<Record<string, readonly [path: readonly [string, string?], read: ReadText]>> = {
  TREELINE_MODEL: [['model'], asText],
  TREELINE_THINKING: [['thinkingLevel'], asText],
  TREELINE_APPROVAL_MODE: [['approvalMode'], asText],
  TREELINE_SYSTEM_PROMPT: [['systemPrompt'], asText],
  TREELINE_PROJECT_INSTRUCTIONS: [['projectInstructions'], asSwitch],
  TREELINE_AUTO_TITLE: [['autoTitle'], asSwitch],
  TREELINE_BELL: [['bell'], asText],
  TREELINE_TOOLS: [['tools'], asList],
  TREELINE_MAX_STEPS: [['maxSteps'], asNumber],
  TREELINE_COMPACTION: [['compaction', 'enabled'], asSwitch],
  TREELINE_SPEND_PER_SESSION: [['spend', 'perSession'], asNumber],
  TREELINE_SPEND_PER_DAY: [['spend', 'perDay'], asNumber],
}

/** What the environment says, variable by variable. An empty one says nothing. */
export function readEnvironment(env: Env): readonly CheckedSettings[] {
  return Object.entries(VARIABLES).flatMap(([variable, [[key, inner], read]]) => {
    const text = env[variable]
    if (text === undefined || text === '') return []
    const value = read(text)
    const raw = { [key]: inner === undefined ? value : { [inner]: value } }
    return [checkSettings(raw, { origin: 'environment', where: variable })]
  })
}
