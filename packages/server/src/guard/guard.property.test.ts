import { TreelineError } from '@treeline/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../testing/runs.ts'
import { makeTempCredentials } from '../testing/temp-credentials.ts'
import { guard } from './guard.ts'
import { ownAddresses } from './own-addresses.ts'

/** What each part may be, by what it means: the truth below knows these words and nothing of headers. */
const hosts = { ours: ['h:1'], capitals: ['H:1'], missing: [], foreign: ['evil:1'], twice: ['h:1', 'h:1'] }
const origins = {
  missing: [],
  ours: ['http://h:1'],
  foreign: ['http://evil:1'],
  null: ['null'],
  twice: ['http://h:1', 'x'],
}
const sites = { missing: [], own: ['same-origin'], typed: ['none'], near: ['same-site'], far: ['cross-site'] }

const asking = fc.record({
  host: keyOf(hosts),
  origin: keyOf(origins),
  site: keyOf(sites),
  token: fc.constantFrom('nothing', 'wrong', 'read', 'write', 'admin'),
  cookie: fc.constantFrom('nothing', 'right', 'wrong', 'twice'),
  hasOwnHeader: fc.boolean(),
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'),
  isUpgrade: fc.boolean(),
  scope: fc.constantFrom('none', 'read', 'write', 'admin'),
})
type Asking = typeof asking extends fc.Arbitrary<infer T> ? T : never

/** The rules once more, as a list of reasons, the first of which counts. */
function truth(it: Asking): string {
  const isByCookie = it.token === 'nothing'
  const allowed = { nothing: '', wrong: '', read: 'read', write: 'read write', admin: 'read write admin' }[it.token]
  const reasons: readonly [boolean, string][] = [
    [!['ours', 'capitals'].includes(it.host), 'forbidden'],
    [!['ours', 'missing'].includes(it.origin), 'forbidden'],
    [it.scope === 'none', 'anybody'],
    [it.token === 'wrong', 'unauthorized'],
    [isByCookie && it.cookie !== 'right', 'unauthorized'],
    [isByCookie && (it.site === 'near' || it.site === 'far'), 'forbidden'],
    [isByCookie && it.isUpgrade && it.origin === 'missing', 'forbidden'],
    [isByCookie && !/^(GET|HEAD)$/.test(it.method) && !it.hasOwnHeader, 'forbidden'],
    [isByCookie, 'browser'],
    [!allowed.split(' ').includes(it.scope), 'forbidden'],
  ]
  return reasons.find(([holds]) => holds)?.[1] ?? it.token
}

test('K1, K2 of all that can be asked, exactly what the rules say is allowed', async () => {
  using at = makeTempCredentials()
  const credentials = at.open()
  const secrets = {
    wrong: 'w'.repeat(43),
    read: await credentials.createToken({ name: 'read', scope: 'read' }),
    write: await credentials.createToken({ name: 'write', scope: 'write' }),
    admin: await credentials.createToken({ name: 'admin', scope: 'admin' }),
  }
  const right = `treeline-4123=${await credentials.redeem(credentials.newCode())}`
  const cookies = { nothing: [], right: [right], wrong: ['treeline-4123=no'], twice: [`${right}; ${right}`] }
  const options = { ...ownAddresses(['http://h:1']), credentials, cookieName: 'treeline-4123' }

  function outcome(it: Asking): string {
    const headers = {
      host: hosts[it.host],
      origin: origins[it.origin],
      'sec-fetch-site': sites[it.site],
      authorization: it.token === 'nothing' ? [] : [`Bearer ${secrets[it.token]}`],
      cookie: cookies[it.cookie],
      ...(it.hasOwnHeader && { 'x-treeline': ['1'] }),
    }
    try {
      return guard({ method: it.method, isUpgrade: it.isUpgrade, headers }, it.scope, options)?.name ?? 'anybody'
    } catch (error) {
      if (!(error instanceof TreelineError)) throw error
      const told = `${error.message} ${JSON.stringify(error.details)}`
      for (const secret of Object.values(secrets)) expect(told).not.toContain(secret.slice(0, 8))
      return error.code
    }
  }

  const seen = new Set<string>()
  fc.assert(
    fc.property(asking, (it) => {
      const expected = truth(it)
      seen.add(expected)
      expect(outcome(it)).toBe(expected)
    }),
    { numRuns: runs(5_000) },
  )
  expect([...seen].sort()).toEqual(['admin', 'anybody', 'browser', 'forbidden', 'read', 'unauthorized', 'write'])
})

function keyOf<T extends object>(kinds: T): fc.Arbitrary<keyof T> {
  return fc.constantFrom(...(Object.keys(kinds) as (keyof T)[]))
}
