import { plainText } from '@treeline/core'
import { useRef, useState } from 'react'
import type { Told } from './tree-keys.ts'

/** What the latest key did, or why it could not, until the next key is pressed. */
export function useTold() {
  const [told, setTold] = useState<string>()
  const count = useRef(0)
  function tell(what: Told): void {
    const number = ++count.current
    // What is said late is not said of another key.
    const show = (text: string | undefined) => number === count.current && setTold(text)
    const fail = (error: unknown) => show(plainText(error instanceof Error ? error.message : String(error)))
    setTold(undefined)
    Promise.resolve(what).then(show, fail)
  }
  return { told, tell }
}
