import { TreelineError } from '@treeline/core'
import { type FormatName, formats } from '@treeline/formats'
import type { Routes } from '@treeline/protocol'
import type { Asking, Handler } from '../../http/handler.ts'
import { mediaTypeOf, streamBytes } from '../../http/read-body.ts'
import { readForm } from '../../http/read-form.ts'
import type { Services } from '../../services.ts'
import { takePermissions } from './take-permissions.ts'

type Import = Routes['importSession']

const NAMES: ReadonlyMap<string, FormatName | undefined> = new Map<string, FormatName | undefined>([
  ['auto', undefined],
  ['native', 'treeline'],
  ...formats.map(({ name }) => [name, name] as const),
])
const MAX_WARNINGS = 200

/** Takes a session in, whoever wrote it; sent again it gets only what is new (D3). */
export const importSession: Handler<Import> = async (services, asking) => {
  const { otherTools, hub, list } = services
  const { bytes, format } = await readFile(services, asking)
  const { sessionId, added, skipped, warnings } = await otherTools.import(bytes, { ...(format && { format }) })
  const { taken, version } = await hub.use(sessionId, async ({ session }) => {
    await session.refresh()
    return { taken: await takePermissions(session), version: session.seq }
  })
  list.note(sessionId)
  const headers = { location: `/api/chat/sessions/${sessionId}` }
  const told = [...taken, ...warnings.slice(0, MAX_WARNINGS)]
  if (warnings.length > MAX_WARNINGS) told.push(`And ${warnings.length - MAX_WARNINGS} more.`)
  return { status: 201, version, headers, body: { sessionId, imported: added, skipped, warnings: told } }
}

interface SentFile {
  readonly bytes: AsyncIterable<Uint8Array>
  readonly format: FormatName | undefined
}

async function readFile({ limits }: Services, { raw, query, body }: Asking<Import>): Promise<SentFile> {
  // Of another type than JSON it was left to us.
  const json = body as typeof body | undefined
  if (json !== undefined) return { bytes: only(Buffer.from(json.data)), format: formatOf(json.format ?? query.format) }
  switch (mediaTypeOf(raw.headers['content-type'])) {
    case 'application/octet-stream':
      return { bytes: streamBytes(raw, limits.importBytes), format: formatOf(query.format) }
    case 'multipart/form-data': {
      const fields = await readForm(raw, ['file', 'format'], limits.formBytes)
      const file = fields.get('file')
      if (file === undefined) throw new TreelineError('bad_request', 'The form has no field `file`.')
      return { bytes: only(file), format: formatOf(fields.get('format')?.toString() ?? query.format) }
    }
    default: {
      const message = 'Send a file as `multipart/form-data` or `application/octet-stream`, or JSON with `data`.'
      throw new TreelineError('unsupported_media_type', message)
    }
  }
}

async function* only(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}

function formatOf(name = 'auto'): FormatName | undefined {
  if (NAMES.has(name)) return NAMES.get(name)
  throw new TreelineError('validation_failed', `\`format\` is one of ${[...NAMES.keys()].join(', ')}.`)
}
