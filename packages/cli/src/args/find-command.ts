import { preview, TreelineError } from '@treeline/core'
import { catalogue, type Listed } from '../catalogue.ts'
import { nearest } from './nearest.ts'

/** What the catalogue says of a command. A name that is none is refused with the one that is likely meant. */
export function findCommand(name: string): Listed {
  if (Object.hasOwn(catalogue, name)) return catalogue[name]!
  const near = nearest(name, Object.keys(catalogue))
  const hint = near === undefined ? '`treeline --help` lists them.' : `Did you mean \`treeline ${near}\`?`
  throw new TreelineError('bad_request', `There is no command ${JSON.stringify(preview(name, 60))}. ${hint}`)
}
