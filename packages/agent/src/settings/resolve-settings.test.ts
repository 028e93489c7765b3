import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkSettings } from './check-settings.ts'
import { isFields } from './fields.ts'
import { formatKeyPath } from './key-path.ts'
import { resolveSettings } from './resolve-settings.ts'
import type { SettingsPatch } from './schema.ts'
import { DEFAULT_SETTINGS } from './settings.ts'

const some = <T extends Record<string, fc.Arbitrary<unknown>>>(model: T) => fc.record(model, { requiredKeys: [] })
const tokens = fc.nat(1_000_000)
const ref = fc.constantFrom('openai/a', 'anthropic/b', 'x/y/z')
const patch = some({
  model: ref,
  roles: fc.dictionary(fc.constantFrom('summary', 'title', 'constructor', 'toString'), ref),
  approvalMode: fc.constantFrom('default', 'autoEdit', 'yolo'),
  tools: fc.array(fc.constantFrom('read', 'bash')),
  compaction: some({ enabled: fc.boolean(), reserveTokens: tokens, keepRecentTokens: tokens }),
  spend: some({ perDay: fc.nat(100), perSession: fc.nat(100) }),
  models: fc.dictionary(ref, some({ contextWindow: fc.integer({ min: 1, max: 9 }), images: fc.boolean() })),
}) as fc.Arbitrary<SettingsPatch>
const env = some({
  TREELINE_MODEL: ref,
  TREELINE_COMPACTION: fc.constantFrom('on', 'off'),
  TREELINE_SPEND_PER_DAY: fc.nat(100).map(String),
}) as fc.Arbitrary<Record<string, string>>

/** By key path, what one place says. */
function leavesOf(value: unknown, path: readonly string[] = []): [string, unknown][] {
  if (!isFields(value)) return [[formatKeyPath(path), value]]
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]))
}

function envPatch(variables: Readonly<Record<string, string>>): SettingsPatch {
  const { TREELINE_MODEL: model, TREELINE_COMPACTION: compaction, TREELINE_SPEND_PER_DAY: perDay } = variables
  return {
    ...(model !== undefined && { model }),
    ...(compaction !== undefined && { compaction: { enabled: compaction === 'on' } }),
    ...(perDay !== undefined && { spend: { perDay: Number(perDay) } }),
  }
}

test('flag before environment before project before user before default, for every key', () => {
  fc.assert(
    fc.property(patch, env, patch, patch, (flags, variables, projectValues, userValues) => {
      const project = checkSettings(projectValues, { origin: 'project', where: 'p' })
      const user = checkSettings(userValues, { origin: 'user', where: 'u' })
      const { settings, origin, problems } = resolveSettings({ flags, env: variables, project, user })
      expect(problems).toEqual([])
      const expected = new Map(leavesOf(DEFAULT_SETTINGS))
      const from = new Map<string, string>()
      const layers = { user: userValues, project: projectValues, environment: envPatch(variables), flag: flags }
      for (const [name, values] of Object.entries(layers)) {
        for (const [key, value] of leavesOf(values)) {
          expected.set(key, value)
          from.set(key, name)
        }
      }
      expect(new Map(leavesOf(settings))).toEqual(expected)
      expect(origin).toEqual(from)
    }),
  )
})

test('X5 the defaults are not shared', () => {
  const { settings } = resolveSettings({})
  expect(settings).toEqual(DEFAULT_SETTINGS)
  ;(settings.compaction as { enabled: boolean }).enabled = false
  ;(settings.providers as Record<string, object>).mine = {}
  expect(resolveSettings({}).settings).toEqual({ ...DEFAULT_SETTINGS, providers: {} })
  expect(resolveSettings({}).settings.compaction.enabled).toBe(true)
})

test('variables are read as what they mean', () => {
  const { settings, problems } = resolveSettings({
    env: {
      TREELINE_THINKING: 'high',
      TREELINE_APPROVAL_MODE: 'autoEdit',
      TREELINE_COMPACTION: 'OFF',
      TREELINE_AUTO_TITLE: '0',
      TREELINE_TOOLS: 'read, grep',
      TREELINE_SPEND_PER_SESSION: '2.50',
      TREELINE_MAX_STEPS: '7',
      TREELINE_MODEL: '',
      TREELINE_HOME: '/elsewhere',
    },
  })
  expect(problems).toEqual([])
  expect(settings).toMatchObject({
    thinkingLevel: 'high',
    approvalMode: 'autoEdit',
    compaction: { enabled: false, reserveTokens: 16_384 },
    autoTitle: false,
    tools: ['read', 'grep'],
    spend: { perSession: 2.5 },
    maxSteps: 7,
  })
  expect(settings.model).toBeUndefined()
})

test('a wrong variable is told by its name and leaves what the files say', () => {
  const user = checkSettings({ spend: { perDay: 3 } }, { origin: 'user', where: 'u' })
  const { settings, problems } = resolveSettings({
    user,
    env: { TREELINE_SPEND_PER_DAY: 'much', TREELINE_COMPACTION: 'maybe', TREELINE_MODEL: 'gpt' },
  })
  expect(settings.spend.perDay).toBe(3)
  expect(settings.compaction.enabled).toBe(true)
  expect(problems.map(({ where }) => where).sort()).toEqual([
    'TREELINE_COMPACTION',
    'TREELINE_MODEL',
    'TREELINE_SPEND_PER_DAY',
  ])
  expect(problems.find(({ where }) => where === 'TREELINE_COMPACTION')!.message).toContain('must be true or false')
})
