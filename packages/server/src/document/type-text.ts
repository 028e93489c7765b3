import type { JsonSchema } from '@treeline/protocol'
import { escapeHtml } from './html.ts'

const REF = '#/components/schemas/'
/** Wider than this, the parts stand below each other. */
const MAX_WIDTH = 88

/** A JSON Schema as a type would be written, in HTML: names of other types are links to them. */
export function typeText(schema: JsonSchema, indent = ''): string {
  if (typeof schema.$ref === 'string') return link(schema.$ref.slice(REF.length))
  if ('const' in schema) return literal(schema.const)
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literal), indent)
  const choices = schema.oneOf ?? schema.anyOf
  if (Array.isArray(choices)) return choiceText(choices, indent)
  if (Array.isArray(schema.prefixItems)) {
    return `[${(schema.prefixItems as JsonSchema[]).map((one) => typeText(one, indent)).join(', ')}]`
  }
  if (schema.type === 'array') return arrayText(schema, indent)
  if (schema.type === 'object') return objectText(schema, indent)
  return scalarText(schema)
}

function link(name: string): string {
  return `<a href="#type-${escapeHtml(name)}">${escapeHtml(name)}</a>`
}

function literal(value: unknown): string {
  return `<b>${escapeHtml(JSON.stringify(value))}</b>`
}

function union(parts: readonly string[], indent: string): string {
  const line = parts.join(' | ')
  if (widthOf(line) <= MAX_WIDTH && !line.includes('\n')) return line
  return parts.map((part) => `\n${indent}| ${part}`).join('')
}

/** What all choices have is said once. */
function choiceText(choices: readonly JsonSchema[], indent: string): string {
  const [first, ...others] = choices.map((one) => Object.entries((one.properties ?? {}) as Record<string, JsonSchema>))
  const isInAll = ([name, schema]: [string, JsonSchema]): boolean =>
    others.every((fields) =>
      fields.some(([key, other]) => key === name && JSON.stringify(other) === JSON.stringify(schema)),
    )
  const common = (first ?? []).filter(isInAll)
  if (common.length < 2 || others.length < 2)
    return union(
      choices.map((one) => typeText(one, indent)),
      indent,
    )
  const names = new Set(common.map(([name]) => name))
  const own = choices.map((one) => {
    const fields = Object.entries(one.properties as Record<string, JsonSchema>).filter(([name]) => !names.has(name))
    return { ...one, properties: Object.fromEntries(fields) }
  })
  const shared = objectText({ ...choices[0], properties: Object.fromEntries(common) }, indent)
  return `${shared} and one of${own.map((one) => `\n${indent}| ${typeText(one, indent)}`).join('')}`
}

function arrayText({ items = {} }: JsonSchema, indent: string): string {
  const text = typeText(items as JsonSchema, indent)
  return text.includes(' | ') ? `(${text})[]` : `${text}[]`
}

function objectText({ properties, required, additionalProperties }: JsonSchema, indent: string): string {
  const inner = `${indent}  `
  const needed = new Set((required as string[] | undefined) ?? [])
  const fields = Object.entries((properties as Record<string, JsonSchema> | undefined) ?? {}).map(([name, schema]) => {
    const text = `${escapeHtml(name)}${needed.has(name) ? '' : '?'}: ${typeText(schema, inner)}`
    return typeof schema.description === 'string' ? `${text}  <i>${escapeHtml(schema.description)}</i>` : text
  })
  if (typeof additionalProperties === 'object' && additionalProperties !== null) {
    fields.push(`[id]: ${typeText(additionalProperties as JsonSchema, inner)}`)
  }
  if (fields.length === 0) return '{}'
  const line = `{ ${fields.join(', ')} }`
  if (widthOf(line) <= MAX_WIDTH && !line.includes('<i>') && !line.includes('\n')) return line
  return `{\n${fields.map((field) => inner + field).join('\n')}\n${indent}}`
}

function scalarText(schema: JsonSchema): string {
  const { type = 'unknown', format, maxLength, minimum, maximum, pattern } = schema as Record<string, unknown>
  const limits = [
    format !== undefined ? String(format) : '',
    maxLength !== undefined ? `at most ${maxLength}` : '',
    // Those of an integer as such say nothing.
    typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER ? `≥ ${minimum}` : '',
    typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER ? `≤ ${maximum}` : '',
    pattern !== undefined ? `/${pattern}/` : '',
  ].filter((limit) => limit !== '')
  const name = Array.isArray(type) ? type.join(' | ') : String(type)
  return limits.length === 0 ? escapeHtml(name) : `${escapeHtml(name)} <i>${escapeHtml(limits.join(', '))}</i>`
}

/** As it is seen. */
function widthOf(html: string): number {
  return html.replace(/<[^>]*>/g, '').replace(/&#\d+;/g, '.').length
}
