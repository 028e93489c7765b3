import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { Answer } from './answer.ts'
import { APP_POLICY } from './security-headers.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
}
const YEAR_SECONDS = 31_536_000
/** The hash that the build gives a file's name: other content has another name. */
const HASHED = /^\/assets\/.*-[\w-]{8,}\.\w+$/

/** Gives the answer for a path, `undefined` where there is no such file. */
export type FileServer = (path: string, known: string | undefined) => Promise<Answer | undefined>

/**
 * Serves the files of a folder as they are listed now, and no others: what is asked for is looked up among their names and
 * never becomes a path (K3). Links are not followed. A path that could be a page of the app's own gets `index.html`.
 */
export function serveFiles(root: string): FileServer {
  const files = new Map(listFiles(root).map((file) => [`/${relative(root, file).split(sep).join('/')}`, file]))
  const read = new Map<string, { readonly bytes: Buffer; readonly etag: string }>()

  async function load(path: string, file: string) {
    const known = read.get(path)
    if (known !== undefined) return known
    const bytes = await readFile(file)
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
    read.set(path, { bytes, etag })
    return { bytes, etag }
  }

  return async (asked, knownTag) => {
    const isPage = extname(asked) === '' && !asked.startsWith('/assets/')
    const path = files.has(asked) ? asked : isPage ? '/index.html' : undefined
    const file = path === undefined ? undefined : files.get(path)
    if (path === undefined || file === undefined) return undefined
    const { bytes, etag } = await load(path, file)
    const headers = {
      etag,
      'cache-control': HASHED.test(path) ? `private, max-age=${YEAR_SECONDS}, immutable` : 'private, no-cache',
      ...(extname(path) === '.html' && { 'content-security-policy': APP_POLICY }),
      'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
    }
    return knownTag === etag ? { status: 304, headers } : { status: 200, headers, body: bytes }
  }
}

function listFiles(root: string): readonly string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}
