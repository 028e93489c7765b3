import { expect, test } from 'vitest'
import { findSetting, settingKeys } from './setting-keys.ts'
import { DEFAULT_SETTINGS } from './settings.ts'

test('every setting has one key, those of groups as they are typed', () => {
  const keys = settingKeys()
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys).toContain('model')
  expect(keys).toContain('compaction.enabled')
  expect(keys).not.toContain('compaction')
  for (const key of Object.keys(DEFAULT_SETTINGS)) {
    expect(keys.some((known) => known === key || known.startsWith(`${key}.`))).toBe(true)
  }
})

test('a value is found by its key, and nothing where there is none', () => {
  const models = { 'openai/gpt-5.1': { contextWindow: 1000 } }
  const settings = { ...DEFAULT_SETTINGS, models }
  expect(findSetting(settings, 'compaction.policy')).toBe('pi')
  expect(findSetting(settings, 'models["openai/gpt-5.1"].contextWindow')).toBe(1000)
  expect(findSetting(settings, 'model')).toBeUndefined()
  expect(findSetting(settings, 'constructor.name')).toBeUndefined()
  expect(() => findSetting(settings, '.x')).toThrow('is not the name of a setting')
})
