import { expect, test } from 'vitest'
import { checkCrc, sealRecord, withoutCrc } from './seal.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

test('I1 a sealed record ends with the CRC-32 of the bytes before it', () => {
  const line = sealRecord(encode('{"type":"x","id":"a"}'))
  expect(decode(line)).toMatch(/^\{"type":"x","id":"a","crc":"[0-9a-f]{8}"\}\n$/)
  expect(checkCrc(line, 0, line.length - 1)).toBe('ok')
})

test('a copied record keeps its bytes, key order and unknown fields; only a checksum is added', () => {
  const foreign = encode('{"id":"a", "zeta":1e2 ,"type":"x","__proto__":{"b":[ ]}}')
  const line = sealRecord(foreign)
  expect(decode(line).startsWith('{"id":"a", "zeta":1e2 ,"type":"x","__proto__":{"b":[ ]}')).toBe(true)
  expect(withoutCrc(line.subarray(0, -1))).toEqual(foreign)
  expect(sealRecord(line.subarray(0, -1))).toEqual(line)
})

test('a record touched by another tool is a mismatch, and sealing it anew replaces the checksum', () => {
  const record = sealRecord(encode('{"type":"x","n":1}')).slice(0, -1)
  record[record.indexOf(0x31)] = 0x32
  expect(checkCrc(record)).toBe('mismatch')
  const line = sealRecord(record)
  expect(checkCrc(line, 0, line.length - 1)).toBe('ok')
  expect(decode(withoutCrc(line.subarray(0, -1)))).toBe('{"type":"x","n":2}')
})

test('only the exact tail counts as a checksum', () => {
  for (const tail of [
    '"crc":"ABCDEF01"}',
    '"crc":"abcdef0"}',
    '"crc": "abcdef01"}',
    '"crc":"abcdef01" }',
    '"CRC":"abcdef01"}',
  ]) {
    expect(checkCrc(encode(`{"type":"x",${tail}`))).toBe('none')
  }
  expect(checkCrc(encode('{,"crc":"abcdef01"}'))).toBe('none')
  expect(checkCrc(new Uint8Array(0))).toBe('none')
})

test('a record is checked inside a larger buffer', () => {
  const line = sealRecord(encode('{"type":"x"}'))
  const buffer = encode(`junk${decode(line)}junk`)
  expect(checkCrc(buffer, 4, 4 + line.length - 1)).toBe('ok')
})
