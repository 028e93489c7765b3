import type { Content, Operation, Parameter } from '@treeline/protocol'
import { escapeHtml, sentence } from './html.ts'
import { typeText } from './type-text.ts'

/** One operation: what it is for, what it takes, what it gives. */
export function operationHtml(method: string, path: string, operation: Operation): string {
  const { operationId, summary, parameters, requestBody, responses } = operation
  const replies = Object.entries(responses).filter(([status]) => status !== 'default')
  return [
    `<article id="${operationId}"><h3>${methodHtml(method)} <a href="#${operationId}">${pathHtml(path)}</a>`,
    `${scopeHtml(operation)}</h3><p>${sentence(summary)}</p>`,
    parameters.length > 0 ? `<table>${parameters.map(parameterHtml).join('')}</table>` : '',
    requestBody === undefined ? '' : contentHtml(requestBody.required ? 'takes' : 'may take', requestBody.content),
    ...replies.map(([status, { content, description }]) =>
      content === undefined
        ? `<p class="io"><span>${status}</span> ${escapeHtml(description)}</p>`
        : contentHtml(status, content),
    ),
    '</article>',
  ].join('')
}

export function methodHtml(method: string): string {
  return `<span class="m ${method}">${method.toUpperCase()}</span>`
}

function pathHtml(path: string): string {
  return escapeHtml(path).replace(/\{(\w+)\}/g, '<var>{$1}</var>')
}

/** The scope of the token that it needs. */
function scopeHtml({ security }: Operation): string {
  const [scope = 'everybody'] = Object.values(security[0] ?? {}).flat()
  return ` <small class="s">${escapeHtml(scope)}</small>`
}

function parameterHtml({ name, in: place, required, schema }: Parameter): string {
  const about = typeof schema.description === 'string' ? ` ${sentence(schema.description)}` : ''
  const filled = 'default' in schema ? ` <i>otherwise ${escapeHtml(JSON.stringify(schema.default))}</i>` : ''
  const mark = required ? '' : '?'
  return `<tr><th scope="row">${escapeHtml(name)}${mark}</th><td>${place}</td><td><code>${typeText(schema)}</code>${filled}${about}</td></tr>`
}

function contentHtml(label: string, content: Content): string {
  const shown = Object.entries(content).map(([type, { schema }]) => {
    const text = type === 'application/json' ? typeText(schema) : `${escapeHtml(type)}`
    return `<pre>${text.trimStart()}</pre>`
  })
  return `<div class="io"><span>${escapeHtml(label)}</span><div>${shown.join('<p>or</p>')}</div></div>`
}
