import type { Output } from './output.ts'
import { unpaint } from './style.ts'
import { widthOf } from './table.ts'
import { wrapMessage } from './wrap-message.ts'

/**
 * Text that ends with a command or a path, which is not torn apart, so that it can be copied: at a terminal that has no
 * room for both in one line it has its own.
 */
export function* wholeEnd({ isTty, columns }: Output, text: string, end: string): Generator<string> {
  const plain = unpaint(text)
  if (!isTty || widthOf(`${plain} ${unpaint(end)}`) <= columns) {
    yield `${text} ${end}`
    return
  }
  if (widthOf(plain) <= columns) yield text
  else yield* wrapMessage(plain, columns)
  yield `  ${end}`
}
