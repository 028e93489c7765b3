type Signature = readonly [mimeType: string, ...parts: (readonly [offset: number, bytes: string])[]]

const SIGNATURES: readonly Signature[] = [
  ['image/png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/gif', [0, 'GIF87a']],
  ['image/gif', [0, 'GIF89a']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
]

/** How many bytes are needed to tell. */
export const SIGNATURE_BYTES = 12

/** The kind of image that these first bytes begin, whatever the file is called. */
export function findImageType(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, SIGNATURE_BYTES)).toString('latin1')
  return SIGNATURES.find(([, ...parts]) => parts.every(([offset, part]) => start.startsWith(part, offset)))?.[0]
}
