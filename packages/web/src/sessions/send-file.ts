import { problemSchema, RefusedError, type ReplyOf, type Routes, routes } from '@treeline/protocol'
import { t } from '../words/language.ts'

export type Imported = ReplyOf<Routes['importSession']>

/** Sends a file as its bytes, whatever its size. `fetch` cannot tell how much has gone out, so the older way is used. */
export function sendFile(file: File, onProgress: (share: number) => void): Promise<Imported> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', routes.importSession.path)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.setRequestHeader('x-treeline', '1')
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    request.addEventListener('error', () => reject(new TypeError('The server cannot be reached.')))
    request.addEventListener('load', () => {
      try {
        resolve(readReply(request))
      } catch (error) {
        reject(error)
      }
    })
    request.send(file)
  })
}

function readReply({ status, responseText }: XMLHttpRequest): Imported {
  if (status === 201) return routes.importSession.replies[201].parse(JSON.parse(responseText))
  const problem = problemSchema.safeParse(readJson(responseText))
  if (problem.success) throw new RefusedError(problem.data)
  throw new Error(t('The server answered with {status}.', { status }))
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A proxy in between answers with a page of its own: the status says what it means.
    return undefined
  }
}
