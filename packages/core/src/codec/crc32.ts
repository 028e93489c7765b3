/** Sixteen tables of 256: table n holds the CRC of a byte followed by n zero bytes, so sixteen bytes are folded per step. */
const TABLES = buildTables()
const LITTLE_ENDIAN = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1
/** Below this the view on words costs more than it saves. */
const WORDS_FROM = 64

/**
 * CRC-32 (IEEE, as zlib and PNG) of `bytes[start, end)`. Pass an earlier result as `seed` to go on from there.
 *
 * @example crc32(new TextEncoder().encode('123456789')) // 0xcbf43926
 */
export function crc32(bytes: Uint8Array, start = 0, end = bytes.length, seed = 0): number {
  let crc = ~seed
  let at = start
  if (LITTLE_ENDIAN && end - start >= WORDS_FROM) {
    const aligned = at + (-(bytes.byteOffset + at) & 3)
    crc = foldBytes(crc, bytes, at, aligned)
    const words = new Int32Array(bytes.buffer, bytes.byteOffset + aligned, ((end - aligned) >>> 4) * 4)
    crc = foldWords(crc, words)
    at = aligned + words.byteLength
  }
  return ~foldBytes(crc, bytes, at, end) >>> 0
}

function foldBytes(seed: number, bytes: Uint8Array, start: number, end: number): number {
  let crc = seed
  for (let at = start; at < end; at++) crc = (crc >>> 8) ^ TABLES[(crc ^ bytes[at]!) & 255]!
  return crc
}

function foldWords(seed: number, words: Int32Array): number {
  const t = TABLES
  let crc = seed
  for (let at = 0; at < words.length; at += 4) {
    const a = crc ^ words[at]!
    const b = words[at + 1]!
    const c = words[at + 2]!
    const d = words[at + 3]!
    crc =
      t[3840 + (a & 255)]! ^
      t[3584 + ((a >>> 8) & 255)]! ^
      t[3328 + ((a >>> 16) & 255)]! ^
      t[3072 + (a >>> 24)]! ^
      t[2816 + (b & 255)]! ^
      t[2560 + ((b >>> 8) & 255)]! ^
      t[2304 + ((b >>> 16) & 255)]! ^
      t[2048 + (b >>> 24)]! ^
      t[1792 + (c & 255)]! ^
      t[1536 + ((c >>> 8) & 255)]! ^
      t[1280 + ((c >>> 16) & 255)]! ^
      t[1024 + (c >>> 24)]! ^
      t[768 + (d & 255)]! ^
      t[512 + ((d >>> 8) & 255)]! ^
      t[256 + ((d >>> 16) & 255)]! ^
      t[d >>> 24]!
  }
  return crc
}

function buildTables(): Int32Array {
  const tables = new Int32Array(16 * 256)
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
    tables[byte] = crc
  }
  for (let at = 256; at < tables.length; at++) {
    const before = tables[at - 256]!
    tables[at] = (before >>> 8) ^ tables[before & 255]!
  }
  return tables
}
