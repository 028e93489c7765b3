import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'

/** What is said through `t()` in the sources below a folder. */
export interface SaidTexts {
  /** With the places that say them. */
  readonly keys: ReadonlyMap<string, readonly string[]>
  /** Calls whose text is no literal: nobody could translate it. */
  readonly unknown: readonly string[]
}

/** Parsed and not searched, so that a comment or a name that ends in `t(` is none. */
export function collectKeys(folder: string): SaidTexts {
  const keys = new Map<string, string[]>()
  const unknown: string[] = []
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const name of names.filter((one) => /(?<!\.test)\.tsx?$/.test(one)).sort()) {
    const text = readFileSync(join(folder, name), 'utf8')
    for (const { key, at } of callsIn(name, text)) {
      const place = `${name}:${text.slice(0, at).split('\n').length}`
      if (key === undefined) unknown.push(place)
      else keys.set(key, [...(keys.get(key) ?? []), place])
    }
  }
  return { keys, unknown }
}

export function callsIn(
  name: string,
  text: string,
): readonly { readonly key: string | undefined; readonly at: number }[] {
  if (!text.includes('t(')) return []
  const { program, errors } = parseSync(name, text)
  if (errors.length > 0) throw new Error(`${name} cannot be parsed: ${errors[0]!.message}`)
  const calls: { key: string | undefined; at: number }[] = []
  new Visitor({
    CallExpression({ callee, arguments: [first], start }) {
      if (callee.type === 'Identifier' && callee.name === 't') calls.push({ key: literalOf(first), at: start })
    },
  }).visit(program)
  return calls
}

function literalOf(argument: ESTree.Argument | undefined): string | undefined {
  if (argument?.type === 'Literal' && typeof argument.value === 'string') return argument.value
  if (argument?.type !== 'TemplateLiteral' || argument.expressions.length > 0) return undefined
  return argument.quasis[0]?.value.cooked ?? undefined
}
