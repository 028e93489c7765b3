import type { SampleLog } from '../torture/sample-log.ts'
import type { Random } from './crash-storage.ts'

type Lines = readonly Uint8Array[]
type Damage = (lines: Lines, at: number, random: Random) => Uint8Array

const END = Buffer.from('\n')
const joined = (lines: Lines): Uint8Array => Buffer.concat(lines.flatMap((line) => [line, END]))
const pick = (random: Random, count: number): number => Math.floor(random() * count)

/** How a log may be damaged: what RELIABILITY says of today's tools, and what disks do. `at` is any line. */
export const DAMAGES: Readonly<Record<string, Damage>> = {
  'two records spliced': (lines, at) =>
    joined([...lines.slice(0, at), Buffer.concat([lines[at]!, lines[at + 1] ?? END]), ...lines.slice(at + 2)]),
  'a torn record with the next glued to it': (lines, at, random) => {
    const torn = lines[at]!.subarray(0, 1 + pick(random, lines[at]!.length - 1))
    return joined([...lines.slice(0, at), Buffer.concat([torn, lines[at + 1] ?? END]), ...lines.slice(at + 2)])
  },
  'NULs before a record': (lines, at) => joined(lines.with(at, Buffer.concat([Buffer.alloc(500), lines[at]!]))),
  'NULs in place of a record': (lines, at) => joined(lines.with(at, Buffer.alloc(lines[at]!.length))),
  'a byte order mark': (lines) => Buffer.concat([Buffer.from('\ufeff'), joined(lines)]),
  'line ends of another system': (lines) => Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\r\n')])),
  'garbage lines': (lines, at) => joined([...lines.slice(0, at), Buffer.from('not a record'), ...lines.slice(at)]),
  'a record twice': (lines, at) => joined([...lines, lines[at]!]),
  'a record missing': (lines, at) => joined(lines.filter((_, i) => i !== at)),
  'a torn tail': (lines, at, random) => {
    const whole = joined(lines.slice(0, at + 1))
    return whole.subarray(0, whole.length - 2 - pick(random, lines[at]!.length - 2))
  },
  'no last line end': (lines) => joined(lines).subarray(0, -1),
  'a spoilt body': (lines, at) => {
    const line = lines[at]!.slice()
    // In the middle of a record, where a quote or brace is missing afterwards.
    line.fill(0x22, line.length - 40, line.length - 36)
    return joined(lines.with(at, line))
  },
  'flipped bits': (lines, _, random) => {
    const bytes = joined(lines).slice()
    for (let n = 0; n < 5; n++) {
      const at = pick(random, bytes.length)
      bytes[at] = bytes[at]! ^ (1 << pick(random, 8))
    }
    return bytes
  },
  'the header gone': (lines) => joined(lines.slice(1)),
}

/** The log with one kind of damage at a random place behind the header. */
export function damageLog(kind: string, { bytes, lines }: SampleLog, random: Random): Uint8Array {
  const parts = lines.map(({ start, end }) => bytes.slice(start, end))
  return DAMAGES[kind]!(parts, 1 + pick(random, parts.length - 1), random)
}

/** Any kind, also to a log that is damaged already. */
export function damageFurther(bytes: Uint8Array, random: Random): Uint8Array {
  const ends = [...bytes.keys()].filter((at) => bytes[at] === END[0])
  const parts = [0, ...ends.map((at) => at + 1)].map((start, i) => bytes.slice(start, ends[i] ?? bytes.length))
  const kinds = Object.values(DAMAGES)
  // Lines too short to be torn or spoilt stay as they are.
  const long = [...parts.keys()].filter((i) => parts[i]!.length > 60)
  return long.length === 0 ? bytes : kinds[pick(random, kinds.length)]!(parts, long[pick(random, long.length)]!, random)
}
