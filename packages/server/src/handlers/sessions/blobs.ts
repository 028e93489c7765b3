import { createHash } from 'node:crypto'
import { TreelineError } from '@treeline/core'
import type { Routes } from '@treeline/protocol'
import type { Handler } from '../../http/handler.ts'
import { readBytes } from '../../http/read-body.ts'
import { DOWNLOAD } from './download.ts'

/** Kept only if the bytes are those that the hash names. */
export const putBlob: Handler<Routes['putBlob']> = async ({ store, limits }, { params, raw }) => {
  const bytes = await readBytes(raw, limits.blobBytes)
  const hash = createHash('sha256').update(bytes).digest('hex')
  if (hash !== params.sha256) {
    throw new TreelineError('validation_failed', `The bytes that came have the SHA-256 ${hash}. Send them again.`)
  }
  const isThere = (await store.readBlob(`blob:sha256:${hash}`)) !== undefined
  const blob = await store.putBlob(bytes)
  return { status: isThere ? 200 : 201, body: { blob, sizeBytes: bytes.length } }
}

/** Always a file to keep, whatever is in it. What a hash names never changes. */
export const getBlob: Handler<Routes['getBlob']> = async ({ store }, { params, known }) => {
  const { sha256 } = params
  const bytes = await store.readBlob(`blob:sha256:${sha256}`)
  if (bytes === undefined) {
    throw new TreelineError('blob_not_found', `There is no blob ${sha256}. PUT its bytes to the same address.`)
  }
  const etag = `"${sha256}"`
  const caching = { etag, 'cache-control': 'private, max-age=31536000, immutable' }
  if (known?.includes(etag)) return { status: 304, headers: caching }
  const disposition = `attachment; filename="${sha256}.bin"`
  const headers = { ...DOWNLOAD, ...caching, 'content-disposition': disposition }
  return { status: 200, type: 'application/octet-stream', headers, body: bytes }
}
