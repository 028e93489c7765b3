import { expect, test } from 'vitest'
import { chooseModelRef } from './choose-model.ts'

const catalogue = { defaultRef: async () => 'catalogue/default' }
const everything = {
  models: { default: 'session/default', summary: 'session/summary' },
  settings: { model: 'settings/model', roles: { default: 'roles/default', summary: 'roles/summary' } },
  catalogue,
}

test('S9 the one asked for, then the session’s own, then the settings’, then the default', async () => {
  const { settings } = everything
  const choose = (choice: object) => chooseModelRef({ ...everything, ...choice })
  expect(await choose({ asked: 'asked/model', role: 'summary' })).toBe('asked/model')
  expect(await choose({ role: 'summary' })).toBe('session/summary')
  expect(await choose({ role: 'summary', models: {} })).toBe('roles/summary')
  expect(await choose({})).toBe('session/default')
  expect(await choose({ models: {} })).toBe('roles/default')
  expect(await choose({ models: {}, settings: { ...settings, roles: {} } })).toBe('settings/model')
  expect(await choose({ models: {}, settings: { roles: {} } })).toBe('catalogue/default')
})

test('S9 a role that nobody named a model for uses that of the conversation', async () => {
  expect(await chooseModelRef({ ...everything, role: 'title' })).toBe('session/default')
  expect(await chooseModelRef({ ...everything, role: 'title', models: {} })).toBe('roles/default')
  // Words that objects know by themselves.
  for (const role of ['constructor', '__proto__', 'toString']) {
    expect(await chooseModelRef({ ...everything, role })).toBe('session/default')
  }
})
