/** For tests of other packages. */

export { askRaw, BY_HAND, type RawAnswer, type RawRequest } from './ask-raw.ts'
export { makeSelfSigned } from './self-signed.ts'
