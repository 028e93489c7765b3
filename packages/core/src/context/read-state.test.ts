import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Entry } from '../entry/entry.ts'
import { kindOf } from '../entry/kind.ts'
import { runSteps } from '../steps.ts'
import { pathOf } from '../testing/path-of.ts'
import { runs } from '../testing/runs.ts'
import { rulesOf } from './dialect.ts'
import { readState } from './read-state.ts'
import { StateReader } from './state.ts'

const rules = rulesOf('treeline')
const anyText = fc.constantFrom('', 'a', 'b', 'off', 'high', 'a/b', 'p/q')
const maybe = fc.oneof(anyText, fc.constant(null), fc.constant(7))
const stateEntry = fc.oneof(
  fc.record({ type: fc.constant('thinking_level_change'), thinkingLevel: maybe }),
  fc.record({ type: fc.constant('mode_change'), mode: maybe }),
  fc.record({ type: fc.constant('service_tier_change'), serviceTier: maybe }),
  fc.record({ type: fc.constant('model_change'), model: maybe }),
  fc.record({ type: fc.constant('model_change'), provider: maybe, modelId: maybe }),
  fc.record({ type: fc.constant('model_change'), model: maybe, role: fc.constantFrom('default', 'smol', 'plan', '') }),
  fc.record({ type: fc.constant('ttsr_injection'), injectedRules: fc.array(anyText, { maxLength: 2 }) }),
  fc.record({ type: fc.constant('active_tools_change'), activeToolNames: fc.oneof(fc.array(anyText), fc.constant(1)) }),
  fc.record({ type: fc.constant('message'), message: fc.constant({ role: 'user', content: 'x' }) }),
)

function readAll(entries: readonly object[]) {
  const state = new StateReader(rules)
  for (const entry of entries as Entry[]) if (entry.type !== 'message') state.read(entry, kindOf(entry.type))
  return state.finish()
}

test('S23 reading the last entries gives the state that reading all of them gives', () => {
  fc.assert(
    fc.property(fc.array(stateEntry, { maxLength: 25 }), (entries) => {
      const path = pathOf(entries)
      expect(runSteps(readState(path, rules), path.read).finish()).toEqual(readAll(entries))
    }),
    { numRuns: runs(500) },
  )
})

test('of a thousand models only the last one is read', () => {
  const entries = Array.from({ length: 1000 }, (_, i) => ({ type: 'model_change', provider: 'p', modelId: `m${i}` }))
  const path = pathOf(entries)
  expect(runSteps(readState(path, rules), path.read).finish().model).toEqual({ provider: 'p', modelId: 'm999' })
  expect(path.reads).toEqual([[999]])
})

test('I3 a change that cannot be read leaves it to the one before', () => {
  const path = pathOf([{ type: 'mode_change', mode: 'plan' }, undefined, { type: 'mode_change', mode: 3 }])
  expect(runSteps(readState(path, rules), path.read).finish().mode).toBe('plan')
})
