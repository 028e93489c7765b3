// Run by the tests of credentials as another process: makes or revokes tokens of the given names, one after the other.
import { openHome } from '@treeline/store'
import { openCredentials } from '../guard/credentials.ts'

const [folder, what, ...names] = process.argv.slice(2) as [string, 'create' | 'revoke', ...string[]]
using home = openHome({ home: folder })
using credentials = openCredentials({
  home,
  onFailure: (error) => {
    throw error
  },
})
for (const name of names) {
  if (what === 'create') await credentials.createToken({ name, scope: 'read' })
  else await credentials.revoke(name)
}
