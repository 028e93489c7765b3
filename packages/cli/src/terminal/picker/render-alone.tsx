import { render, useWindowSize } from 'ink'
import type { ReactNode } from 'react'
import type { Context } from '../../context.ts'
import { speakLocale } from '../speak-locale.ts'
import { useStopping } from '../use-stopping.ts'

interface AloneSize {
  readonly columns: number
  readonly rows: number
  readonly isUnicode: boolean
}

interface AloneProps<T> {
  readonly isUnicode: boolean
  readonly draw: (size: AloneSize, answer: (value: T) => void) => ReactNode
  readonly answer: (value: T) => void
}

function Alone<T>({ isUnicode, draw, answer }: AloneProps<T>) {
  const { columns, rows } = useWindowSize()
  useStopping()
  // A frame as high as the screen would be drawn anew as a whole each time.
  return draw({ columns, rows: rows - 1, isUnicode }, answer)
}

/** Something to be answered before the chat, on a screen of its own: what stood there is there again afterwards. */
export async function renderAlone<T>({ env }: Context, draw: AloneProps<T>['draw']): Promise<T> {
  const isUnicode = await speakLocale(env)
  const { promise, resolve } = Promise.withResolvers<T>()
  const app = render(<Alone isUnicode={isUnicode} draw={draw} answer={resolve} />, {
    exitOnCtrlC: false,
    patchConsole: false,
    alternateScreen: true,
  })
  const answer = await promise
  app.unmount()
  await app.waitUntilExit()
  return answer
}
