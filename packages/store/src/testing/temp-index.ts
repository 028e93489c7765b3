import { openHome } from '../home.ts'
import { openIndex } from '../session-index/open-index.ts'
import type { SessionIndex } from '../session-index/session-index.ts'
import type { SourceModule } from '../session-index/session-source.ts'
import type { TempHome } from './temp-home.ts'

/** The index of a home on the real disk; what it was opened with closes with it. */
export async function openTempIndex(temp: TempHome, ...sources: readonly SourceModule[]): Promise<SessionIndex> {
  const home = openHome(temp)
  const index = await openIndex({ home, sources })
  const close = async (): Promise<void> => {
    await index.close()
    home.locks.close()
  }
  return Object.assign(index, { [Symbol.asyncDispose]: close })
}
