import { z } from 'zod'

/** Of sessions and nodes, ours or a client's own. Never a path: no separators, no leading dot. */
export const idSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)
  .meta({ id: 'Id', description: 'UUIDv7 for sessions, 8 hex for nodes, or a client’s own.' })

/** RFC 3339 in UTC with milliseconds. */
export const timeSchema = z.string().meta({ id: 'Time', format: 'date-time' })

export const versionSchema = z.int().nonnegative().meta({
  id: 'Version',
  description: 'The sequence number of the last durable event. Streamed text does not change it.',
})

/** Applied only if nothing in the footprint of the request has changed since (C2). */
export const baseVersionSchema = versionSchema.optional()

export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/)
