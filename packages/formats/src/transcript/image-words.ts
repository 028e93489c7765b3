/** Pictures that no renderer takes for a program; SVG is not among them. */
const SHOWN: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
])
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** A `data:` address of the image, if it can be one that is nothing but a picture. */
export function imageAddress(mimeType: string, data: string): string | undefined {
  return SHOWN.has(mimeType) && BASE64.test(data) ? `data:${mimeType};base64,${data}` : undefined
}

/** `image png, 12 KB` */
export function imageWords(mimeType: string, data: string): string {
  const kind = mimeType.replace(/^image\/?/, '').replace(/[^\w.+-]/g, '')
  const size = data.startsWith('blob:') ? 'lost' : sizeWords(Math.floor((data.length * 3) / 4))
  return `${kind === '' ? 'image' : `image ${kind}`}, ${size}`
}

function sizeWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
