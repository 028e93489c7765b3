import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  CLOSE,
  clientFrameSchema,
  durableEventSchema,
  ephemeralEventSchema,
  type Route,
  routes,
  serverFrameSchema,
} from '@treeline/protocol'
import { expect, test } from 'vitest'
import { handlers } from './index.ts'

const SOURCE = join(import.meta.dirname, '..')
const read = (pattern: string): string =>
  globSync(pattern, { cwd: SOURCE })
    .map((file) => readFileSync(join(SOURCE, file), 'utf8'))
    .join('\n')
/** Tests that know what they ask for; those that go by the whole table would count for everything. */
const tests = read('{handlers,stream,hub,wire,files}/**/*.test.ts')

test('every route of the table has a handler, and every handler a route', () => {
  expect(Object.keys(handlers).sort()).toEqual(Object.keys(routes).sort())
})

test('K1 nothing is put on the server but by the two places that ask the guard', () => {
  const files = globSync('**/*.ts', { cwd: SOURCE, exclude: ['**/*.test.ts', '**/testing/**'] })
  const putting = files.filter((file) => {
    const text = readFileSync(join(SOURCE, file), 'utf8')
    return /\bapp\s*\.\s*(route|get|post|put|patch|delete|all|head|options)\(|on\('(request|upgrade)'/.test(text)
  })
  expect(putting.sort()).toEqual(['door/mount-door.ts', 'http/mount.ts', 'stream/accept-sockets.ts'])
  for (const file of putting) expect(readFileSync(join(SOURCE, file), 'utf8')).toMatch(/\bguard\(askedOf\(/)
})

test('every route is asked for by a test', () => {
  const missing = Object.entries<Route>(routes).filter(([name, { path }]) => {
    const tail = path.replace(/^\/api\/chat(\/sessions)?(\/\{sessionId\})?/, '').replaceAll('.', '\\.')
    const asPath = new RegExp(`${tail.replace(/\{\w+\}/g, '[^/\'"`]+')}[\`'"?]`)
    return !new RegExp(`routes\\.${name}\\b|'${name}'`).test(tests) && (tail === '' || !asPath.test(tests))
  })
  expect(missing.map(([name]) => name)).toEqual([])
})

interface Choices {
  readonly options: readonly { readonly shape: Readonly<Record<string, unknown>> }[]
}

/** The literals that tell the choices of a union apart. */
function namesOf({ options }: Choices, key: string): readonly string[] {
  return options.map(({ shape }) => (shape[key] as { readonly value: string }).value)
}

test('every event, every frame and every close code is met in a test', () => {
  const names = [
    ...namesOf(durableEventSchema, 'type'),
    ...namesOf(ephemeralEventSchema, 'type'),
    ...namesOf(clientFrameSchema, 't'),
    ...namesOf(serverFrameSchema, 't'),
  ]
  expect(names.length).toBeGreaterThan(35)
  expect(names.filter((name) => !tests.includes(`'${name}'`))).toEqual([])
  const codes = Object.keys(CLOSE).filter((name) => !tests.includes(`CLOSE.${name}`))
  // A scope that does not suffice is answered to the frame that wanted more; the connection stays.
  expect(codes).toEqual(['forbidden'])
})
