import { clientFrameSchema } from '@treeline/protocol'
import fc from 'fast-check'
import { arbitraryOf, type Pool } from '../testing/arbitrary-of.ts'
import { junkText, junkValue } from './junk.ts'
import { nearly, schemaOf } from './requests.ts'

/** What is sent as one frame: text, or bytes. */
export type FuzzedFrame = string | Uint8Array

/** Frames as a client would send them, nearly so, and not at all. */
export function frames(pool: Pool): fc.Arbitrary<readonly FuzzedFrame[]> {
  const right = arbitraryOf(schemaOf(clientFrameSchema), pool)
  const text = (value: unknown): string => JSON.stringify(value) ?? 'undefined'
  const frame: fc.Arbitrary<FuzzedFrame> = fc.oneof(
    { arbitrary: right.map(text), weight: 30 },
    { arbitrary: nearly(right).map(text), weight: 4 },
    { arbitrary: junkValue.map(text), weight: 1 },
    { arbitrary: junkText, weight: 1 },
  )
  return fc.array(frame, { minLength: 1, maxLength: 12 })
}
