import { expect, test } from 'vitest'
import { checkSettings } from './check-settings.ts'
import { DEFAULT_SETTINGS } from './settings.ts'

const source = { origin: 'user', where: 'settings.json' } as const
const check = (raw: unknown) => checkSettings(raw, source)
const told = (raw: unknown) => check(raw).problems.map(({ message }) => message)

test('M14 the defaults are valid settings', () => {
  expect(check(DEFAULT_SETTINGS)).toEqual({ values: DEFAULT_SETTINGS, problems: [] })
  expect(DEFAULT_SETTINGS.compaction).toMatchObject({ enabled: true, reserveTokens: 16384, keepRecentTokens: 20000 })
})

test('a wrong value is told with its path and what it must be; the rest counts', () => {
  const { values, problems } = check({
    model: 'openai/gpt-5.1',
    compaction: { enabled: false, reserveTokens: -1, policy: 'mine' },
    roles: { summary: 5, title: 'openai/small' },
    retry: 'often',
    tools: ['read', 7],
  })
  expect(values).toEqual({
    model: 'openai/gpt-5.1',
    compaction: { enabled: false },
    roles: { title: 'openai/small' },
  })
  expect(problems.map(({ path }) => path.join('.')).sort()).toEqual([
    'compaction.policy',
    'compaction.reserveTokens',
    'retry',
    'roles.summary',
    'tools',
  ])
  const messages = problems.map(({ message }) => message)
  expect(messages).toContain(
    'settings.json: compaction.reserveTokens must be a whole number from 0 to 1000000000, but is -1.',
  )
  expect(messages).toContain('settings.json: compaction.policy must be one of pi, neovate, but is other text.')
  expect(messages).toContain('settings.json: retry must be an object, but is other text.')
})

test('a key nobody knows is told with the one that was meant', () => {
  expect(told({ aprovalMode: 'yolo' })).toEqual([
    'settings.json: there is no setting aprovalMode. Did you mean approvalMode?',
  ])
  expect(told({ compaction: { enable: true } })).toEqual([
    'settings.json: there is no setting compaction.enable. Did you mean compaction.enabled?',
  ])
  expect(told({ providers: { mine: { baseURL: 'http://x' } } })[0]).toContain('Did you mean providers.mine.baseUrl?')
  expect(told({ weather: 'fine' })).toEqual(['settings.json: there is no setting weather.'])
})

test('a bell rings long, always or never', () => {
  expect(check({ bell: 'always' })).toEqual({ values: { bell: 'always' }, problems: [] })
  expect(told({ bell: 'loud' })).toEqual(['settings.json: bell must be one of long, always, never, but is other text.'])
})

test('keys of providers are no settings, and are not repeated in what is told', () => {
  const messages = told({ apiKey: 'sk-123', providers: { openai: { apiKey: 'sk-123', baseUrl: 'sk-123' } } })
  expect(messages).toHaveLength(3)
  expect(messages.filter((message) => message.includes('treeline auth'))).toHaveLength(2)
  expect(messages.join('\n')).not.toContain('sk-123')
})

test('what is incomplete without a wrong part goes with it', () => {
  const models = { 'a/b': { contextWindow: 1000, prices: { input: 'x', output: 2 } }, 'c/d': { prices: { input: 1 } } }
  const { values, problems } = check({ models, autoTitle: false })
  expect(values).toEqual({ autoTitle: false, models: { 'a/b': { contextWindow: 1000 }, 'c/d': {} } })
  expect(problems.map(({ path }) => path.at(-1))).toEqual(['input', 'output'])
})

test('names are checked like values', () => {
  const { values, problems } = check({ providers: { '../x': {}, ok: {} }, models: { nomodel: {} } })
  expect(values).toEqual({ providers: { ok: {} }, models: {} })
  expect(problems).toHaveLength(2)
  expect(problems[0]!.message).toContain('must be the name of a provider')
})

test.each([['javascript:alert(1)'], ['http://user:password@host/'], ['file:///etc/passwd'], ['http://']])(
  '%s is no base URL',
  (baseUrl) => {
    expect(check({ providers: { x: { baseUrl } } }).values).toEqual({ providers: { x: {} } })
  },
)

test('a header cannot carry a second one', () => {
  const headers = { 'X-Ok': 'a b', 'X-Bad': 'a\r\nAuthorization: x', 'bad name': 'x' }
  expect(check({ providers: { x: { headers } } }).values).toEqual({ providers: { x: { headers: { 'X-Ok': 'a b' } } } })
})

test('__proto__ gets nowhere', () => {
  const raw: unknown = JSON.parse(
    '{"__proto__":{"approvalMode":"yolo"},"roles":{"__proto__":"a/b","constructor":"a/b"},"compaction":{"__proto__":{"enabled":false}}}',
  )
  const { values } = check(raw)
  expect(values.approvalMode).toBeUndefined()
  expect(values.compaction?.enabled).toBeUndefined()
  expect(Object.keys(values.roles!)).toEqual(['constructor'])
  expect(Object.getPrototypeOf(values.roles)).toBe(Object.prototype)
  expect(({} as { approvalMode?: string }).approvalMode).toBeUndefined()
})

test.each([[null], [5], ['x'], [[]], [undefined]])('%j as a whole is one problem', (raw) => {
  const { values, problems } = check(raw)
  expect(values).toEqual({})
  expect(problems.map(({ path }) => path)).toEqual([[]])
})

test('sixty thousand wrong keys are survived quickly and told briefly', () => {
  const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`compactio${i}`, i]))
  const started = performance.now()
  const { values, problems } = check({ ...many, roles: many, autoTitle: false })
  expect(values).toEqual({ autoTitle: false, roles: {} })
  expect(problems).toHaveLength(51)
  expect(problems.at(-1)!.message).toContain('59950 more settings')
  expect(performance.now() - started).toBeLessThan(10_000)
})
