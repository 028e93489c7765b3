import type { IncomingMessage } from 'node:http'
import { TreelineError } from '@treeline/core'
import { readBytes } from './read-body.ts'

const BOUNDARY = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i
const NAME = /^content-disposition:\s*form-data(?=[\s;])[^\r\n]*;\s*name="([^"\r\n]*)"/im
const MAX_HEAD_BYTES = 8 * 1024
const LINE_END = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')
const LAST = Buffer.from('--')

/**
 * The fields of a `multipart/form-data`, each once and of the names given. Held in memory, so bounded; of what a client
 * says about its file nothing is looked at but the name of the field (K3).
 */
export async function readForm<Name extends string>(
  request: IncomingMessage,
  names: readonly Name[],
  maxBytes: number,
): Promise<ReadonlyMap<Name, Buffer>> {
  const [, quoted, plain] = BOUNDARY.exec(request.headers['content-type'] ?? '') ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw noForm('its Content-Type names no boundary')
  return parseForm(await readBytes(request, maxBytes), boundary, names)
}

export function parseForm<Name extends string>(
  bytes: Buffer,
  boundary: string,
  names: readonly Name[],
): ReadonlyMap<Name, Buffer> {
  const fields = new Map<Name, Buffer>()
  const first = Buffer.from(`--${boundary}`)
  const between = Buffer.from(`\r\n--${boundary}`)
  if (!startsAt(bytes, first, 0)) throw noForm('it does not begin with its boundary')
  for (let at = first.length; !startsAt(bytes, LAST, at); ) {
    if (!startsAt(bytes, LINE_END, at)) throw noForm('something stands behind a boundary')
    const head = at + LINE_END.length
    const body = bytes.subarray(0, head + MAX_HEAD_BYTES).indexOf(HEAD_END, head)
    const end = body < 0 ? -1 : bytes.indexOf(between, body + LINE_END.length)
    if (end < 0) throw noForm('a part of it has no end')
    const [, found] = NAME.exec(bytes.toString('latin1', head, body)) ?? []
    const name = names.find((known) => known === found)
    if (name === undefined) throw noForm(`it may have the fields ${names.join(', ')}, and no other`)
    if (fields.has(name)) throw noForm(`it has the field ${name} twice`)
    fields.set(name, bytes.subarray(Math.min(body + HEAD_END.length, end), end))
    at = end + between.length
  }
  return fields
}

function startsAt(bytes: Buffer, wanted: Buffer, at: number): boolean {
  return bytes.subarray(at, at + wanted.length).equals(wanted)
}

function noForm(why: string): TreelineError {
  return new TreelineError('bad_request', `The form cannot be read: ${why}.`)
}
