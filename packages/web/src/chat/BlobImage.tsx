import { useEffect, useState } from 'react'
import { Told } from '../shell/Told.tsx'
import { explainProblem } from '../words/explain-problem.ts'
import { t } from '../words/language.ts'
import { readPicture } from './blobs.ts'

interface BlobImageProps {
  readonly blob: string
  readonly mimeType: string
  readonly alt?: string
}

/** A picture of a message, fetched with the reader's own right to see it. */
export function BlobImage({ blob, mimeType, alt = t('Attached picture') }: BlobImageProps) {
  const [shown, setShown] = useState<{ readonly url?: string; readonly problem?: string }>({})
  useEffect(() => {
    const stop = new AbortController()
    let url: string | undefined
    readPicture(blob, mimeType, stop.signal).then(
      (picture) => {
        if (stop.signal.aborted) return
        url = URL.createObjectURL(picture)
        setShown({ url })
      },
      (error) => !stop.signal.aborted && setShown({ problem: explainProblem(error) }),
    )
    return () => {
      stop.abort()
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [blob, mimeType])
  if (shown.problem !== undefined)
    return (
      <p className="problem">
        <Told text={shown.problem} />
      </p>
    )
  if (shown.url === undefined) return <div className="picture picture-waiting">{t('Loading…')}</div>
  return <img className="picture" src={shown.url} alt={alt} />
}
