import { useEffect, useState } from 'react'

interface PictureProps {
  readonly mimeType: string
  readonly base64: string
  readonly alt: string
}

/** A picture that is part of the text. */
export function Picture({ mimeType, base64, alt }: PictureProps) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const bytes = decodeBase64(base64)
    if (bytes === undefined) return
    const made = URL.createObjectURL(new Blob([bytes], { type: mimeType }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [mimeType, base64])
  return url === undefined ? <span>{alt}</span> : <img className="picture" src={url} alt={alt} />
}

function decodeBase64(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    // Not what it says it is: its name is shown instead.
    return undefined
  }
}
