import { z } from 'zod'

/** Query values are text. */
export const count = (max: number) => z.coerce.number().int().min(1).max(max).optional()
export const seq = z.coerce.number().int().nonnegative()
export const flag = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1')
/** Left empty it is not given: forms and programs send all their fields. */
export const textOrNone = (max: number) =>
  z
    .string()
    .max(max)
    .transform((text) => text || undefined)
    .optional()
export const cursor = textOrNone(2_000)
/** `a,b,c` */
export const list = (max: number) =>
  z
    .string()
    .max(max * 130)
    .transform((text) => text.split(',').filter((part) => part !== ''))
    .refine((parts) => parts.length <= max, `At most ${max} are possible at once.`)
