import assert from 'node:assert/strict'
import type { Heads } from '../../packages/core/src/codec/heads.ts'
import { HeadScanner } from '../../packages/core/src/codec/scan.ts'
import type { Entry } from '../../packages/core/src/entry/entry.ts'
import { kindOf, roleOf } from '../../packages/core/src/entry/kind.ts'
import { makeLog } from '../inputs/make-log.ts'
import { describeHead, type PlainHead } from '../inputs/plain-head.ts'
import type { Row } from '../row.ts'

const CHUNK_BYTES = 512 * 1024
const NEWLINE = 0x0a

interface TheirHead {
  readonly entry: Entry
}
