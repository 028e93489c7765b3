import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { runTreeline, tempFolder } from '../testing/run-treeline.ts'
import {
  asFixture,
  hasShared,
  listShared,
  readExpected,
  SKIPPED,
  sha256,
  sharedPath,
} from '../testing/shared-fixtures.ts'

/** The document of `treeline context --json`. */
interface Printed {
  readonly sessionId: string
  readonly leafId: string | null
  readonly path: readonly string[]
  readonly messages: readonly { readonly role: string }[]
  readonly model: unknown
  readonly models: unknown
  readonly thinkingLevel: string
  readonly mode: string
  readonly modeData?: unknown
  readonly injectedTtsrRules: unknown
}

const KEYS = [
  'sessionId',
  'leafId',
  'path',
  'messages',
  'model',
  'models',
  'thinkingLevel',
  'mode',
  'injectedTtsrRules',
]

// One for all of them: making a home takes longer than reading a fixture.
const cwd = mkdtempSync(join(tmpdir(), 'treeline-cli-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

async function contextOf(name: string, ...words: readonly string[]): Promise<Printed> {
  const { code, json, stderr } = await callTreeline(['context', sharedPath(name), '--json', ...words], { cwd })
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  const printed = json() as Printed & { modeData?: unknown }
  expect(Object.keys(printed).filter((key) => key !== 'modeData')).toEqual(KEYS)
  return printed
}

interface Ok<T> {
  readonly ok: T
}
interface PiExpected {
  readonly sessionId: string
  readonly leafId: string | null
  readonly entryIds: readonly (string | null)[]
  readonly getBranch: Ok<readonly string[]>
  readonly buildSessionContext: Ok<unknown>
  readonly contextNullLeaf: Ok<unknown>
  readonly perLeaf: Readonly<Record<string, Ok<PerLeaf>>>
}
interface PerLeaf {
  readonly branch: readonly string[]
  readonly model: unknown
  readonly thinkingLevel: string
  readonly roles: readonly string[]
  readonly msgSha: string
}

/** Pi answers these with data loss, an error or a hang: what we do instead is promised below and in core. */
const PI_EXCEPTIONS = [
  '15c-utf8-bom',
  '19b-header-corrupt',
  '20b-whitespace-only',
  '21b-header-second',
  '24-self-parent-cycle',
  '31d-forkFrom-v1-by-0.73.1',
]
const PI = listShared('pi').filter((name) => !PI_EXCEPTIONS.includes(name))

describe.skipIf(!hasShared)(hasShared ? 'fixtures of Pi' : SKIPPED, () => {
  test.each(PI)('%s: context prints what Pi computed (S22–S24)', async (name) => {
    const expected = readExpected<PiExpected>(`pi/${name}`)
    const printed = await contextOf(`pi/${name}`)
    const { messages, thinkingLevel, model } = printed
    expect(asFixture({ messages, thinkingLevel, model })).toEqual(asFixture(expected.buildSessionContext.ok))
    // Ids of version 1 are random in Pi.
    const hasIds = !name.includes('-v1-')
    if (hasIds) expect([printed.leafId, printed.path]).toEqual([expected.leafId, expected.getBranch.ok])
    else expect(printed.path.length).toBe(expected.getBranch.ok.length)

    const none = await contextOf(`pi/${name}`, '--leaf', 'root')
    expect([none.leafId, none.path]).toEqual([null, []])
    expect({ messages: none.messages, thinkingLevel: none.thinkingLevel, model: none.model }).toEqual(
      expected.contextNullLeaf.ok,
    )

    const leaves = hasIds ? Object.entries(expected.perLeaf) : []
    const some = leaves.filter((_, i) => i === Math.floor(leaves.length / 3) || i === Math.floor(leaves.length / 2))
    for (const [leafId, { ok }] of some) {
      const other = await contextOf(`pi/${name}`, '--leaf', leafId)
      expect([other.leafId, other.path]).toEqual([leafId, ok.branch])
      expect(other.messages.map(({ role }) => role)).toEqual(ok.roles)
      expect(sha256(JSON.stringify(other.messages)).slice(0, 16)).toBe(ok.msgSha)
      expect([other.model, other.thinkingLevel]).toEqual([ok.model, ok.thinkingLevel])
    }
  })

  test.each(['15c-utf8-bom', '19b-header-corrupt', '21b-header-second', '24-self-parent-cycle'])(
    '%s: where Pi refuses or hangs, the messages are printed all the same (I3)',
    async (name) => {
      const linear = await contextOf('pi/01-linear-v3')
      const printed = await contextOf(`pi/${name}`, '--leaf', '8f7641ae')
      expect(printed.messages.at(-1)).toEqual(linear.messages.at(-1))
      expect(printed.path.at(-1)).toBe('8f7641ae')
    },
  )
})

interface XcshExpected {
  readonly leafId: string | null
  readonly context: Readonly<Record<string, unknown>>
  readonly contextsByLeaf?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly contextAtNull?: Readonly<Record<string, unknown>>
}

/** What of xcsh's and oh-my-pi's own context the document has. */
const STATE = ['messages', 'models', 'thinkingLevel', 'mode', 'modeData', 'injectedTtsrRules'] as const

function pick(context: object): unknown {
  const known = Object.entries(context).filter(([key, value]) => STATE.includes(key as never) && value !== undefined)
  return asFixture(Object.fromEntries(known))
}

const REFUSED = ['header-corrupt', 'header-id-missing', 'header-id-number']
/** xcsh loses data of these or cannot open them. */
const XCSH_EXCEPTIONS = [...REFUSED, 'two-objects-one-line', 'assistant-without-usage']
const hasOwnIds = (name: string) => !name.startsWith('migrate-v1')

describe.skipIf(!hasShared)(hasShared ? 'fixtures of xcsh and oh-my-pi' : SKIPPED, () => {
  const xcsh = listShared('xcsh/sessions')

  test.each(xcsh.filter((name) => !XCSH_EXCEPTIONS.includes(name)))(
    '%s: context prints what xcsh computed, images in place (S22–S24, S32)',
    async (name) => {
      const fixture = `xcsh/sessions/${name}`
      const expected = readExpected<XcshExpected>(fixture)
      const printed = await contextOf(fixture, '--dialect', 'xcsh')
      expect(pick(printed)).toEqual(pick(expected.context))
      if (hasOwnIds(name)) expect(printed.leafId).toBe(expected.leafId)
      expect(pick(await contextOf(fixture, '--dialect', 'xcsh', '--leaf', 'null'))).toEqual(
        pick(expected.contextAtNull ?? {}),
      )
      const others = hasOwnIds(name) ? Object.entries(expected.contextsByLeaf ?? {}).slice(0, 3) : []
      for (const [leafId, context] of others) {
        expect(pick(await contextOf(fixture, '--dialect', 'xcsh', '--leaf', leafId))).toEqual(pick(context))
      }
    },
  )

  test.each(xcsh.filter((name) => !REFUSED.includes(name) && name !== 'two-objects-one-line'))(
    '%s: context --dialect omp prints what oh-my-pi computed from the same file',
    async (name) => {
      const expected = readExpected<XcshExpected>(`xcsh/sessions/${name}`, '.expected.omp18.json')
      expect(pick(await contextOf(`xcsh/sessions/${name}`, '--dialect', 'omp'))).toEqual(pick(expected.context))
    },
  )

  test.each(listShared('omp18/sessions'))('%s: context prints what oh-my-pi computed, by itself', async (name) => {
    const expected = readExpected<XcshExpected>(`omp18/sessions/${name}`)
    const printed = await contextOf(`omp18/sessions/${name}`)
    expect(printed.leafId).toBe(expected.leafId)
    expect(pick(printed)).toEqual(pick(expected.context))
  })

  test.each(REFUSED)('%s: where the tools refuse or empty the file, its messages are printed (I3)', async (name) => {
    expect((await contextOf(`xcsh/sessions/${name}`)).messages.length).toBeGreaterThan(0)
  })
})

interface NeovateExpected {
  readonly activePath?: readonly string[]
  readonly hangs?: boolean
}

describe.skipIf(!hasShared)(hasShared ? 'fixtures of Neovate' : SKIPPED, () => {
  test.each(listShared('neovate'))('%s: the path is the active one of Neovate (N43)', async (name) => {
    const { activePath, hangs } = readExpected<NeovateExpected>(`neovate/${name}`)
    const { path } = await contextOf(`neovate/${name}`)
    if (activePath !== undefined && !hangs) expect(path).toEqual(activePath)
    else expect(path.length).toBeGreaterThan(0)
  })
})

test.skipIf(!hasShared)('the program itself prints the same as the command in this process', async () => {
  for (const name of ['pi/03-compaction-single', 'xcsh/sessions/images-blobs', 'omp18/sessions/all-new-types']) {
    const words = ['context', sharedPath(listedOr(name)), '--json']
    const [inside, outside] = await Promise.all([callTreeline(words), runTreeline(words, { cwd: tempFolder() })])
    expect(outside.code).toBe(0)
    expect(outside.stdout).toBe(inside.stdout)
  }
})

/** Whatever oh-my-pi fixture there is. */
function listedOr(name: string): string {
  return name.startsWith('omp18') ? `omp18/sessions/${listShared('omp18/sessions')[0]}` : name
}
