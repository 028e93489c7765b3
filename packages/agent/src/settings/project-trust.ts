import { TreelineError } from '@treeline/core'
import type { CheckedSettings } from './check-settings.ts'
import { isFields } from './fields.ts'
import { splitGuarded } from './guarded-settings.ts'
import { formatKeyPath } from './key-path.ts'
import type { SettingProblem } from './problem.ts'
import type { ProjectSettings } from './read-settings.ts'
import type { SettingsPatch } from './schema.ts'
import { findTrust, hashOf, saveTrust, type TrustRecord } from './trust-file.ts'
import type { FileHome } from './update-file.ts'

export interface TrustQuestion {
  /** The real path of the project's settings. */
  readonly file: string
  /** Exactly what would come into force. Text from a file nobody has vouched for: show it through `plainText`. */
  readonly guarded: SettingsPatch
  /** An earlier content of it was answered for. */
  readonly isChanged: boolean
}

/** `later`: not now, and ask again. The other answers hold for this content of the file. */
export type AskTrust = (question: TrustQuestion) => Promise<'trust' | 'refuse' | 'later'>

export interface TrustOptions {
  readonly home: FileHome
  readonly project: ProjectSettings
  readonly user: CheckedSettings
  /** Without it nothing is trusted that was not before. */
  readonly ask?: AskTrust | undefined
}

/** The project's settings without what the user has not trusted, which is told as a problem. Asks once for each content. */
export async function withholdUntrusted({ home, project, user, ask }: TrustOptions): Promise<CheckedSettings> {
  const { free, guarded } = splitGuarded(project.values, user.values)
  const keys = listKeys(guarded)
  if (keys.length === 0) return project
  const notes: SettingProblem[] = []
  const note = (kind: SettingProblem['kind'], message: string, path: readonly string[] = []) =>
    notes.push({ kind, origin: 'project', where: project.file, path, message })
  const known = orNote(() => findTrust(home, project.file), note)
  const hash = hashOf(guarded)
  let answer: TrustRecord['answer'] | undefined = known?.hash === hash ? known.answer : undefined
  if (answer === undefined && ask !== undefined) {
    const said = await ask({ file: project.file, guarded, isChanged: known !== undefined })
    answer = said === 'later' ? undefined : said
    // Told, and gone on with: the answer holds for now even where it cannot be kept.
    if (answer !== undefined) await saveTrust(home, project.file, { hash, answer }).catch((error) => told(error, note))
  }
  if (answer === 'trust') return { ...project, problems: [...project.problems, ...notes] }
  for (const path of keys) {
    const remedy = answer === 'refuse' ? 'You refused it' : 'It takes your trust in this project'
    note(
      'untrusted',
      `${project.file}: ${formatKeyPath(path)} is set by the project and does not count. ${remedy}.`,
      path,
    )
  }
  return { values: free, problems: [...project.problems, ...notes] }
}

/** Whether everything this project's settings say would count, without asking. */
export function isTrusted({ home, project, user }: Omit<TrustOptions, 'ask'>): boolean {
  const { guarded } = splitGuarded(project.values, user.values)
  if (listKeys(guarded).length === 0) return true
  const known = findTrust(home, project.file)
  return known?.answer === 'trust' && known.hash === hashOf(guarded)
}

/** Trusts what this project's settings say now. What they say another day is asked about again. */
export async function trustProject({ home, project, user }: Omit<TrustOptions, 'ask'>): Promise<void> {
  const { guarded } = splitGuarded(project.values, user.values)
  await saveTrust(home, project.file, { hash: hashOf(guarded), answer: 'trust' })
}

type Note = (kind: SettingProblem['kind'], message: string) => void

function orNote<T>(work: () => T, note: Note): T | undefined {
  try {
    return work()
  } catch (error) {
    told(error, note)
    return undefined
  }
}

function told(error: unknown, note: Note): void {
  if (!(error instanceof TreelineError)) throw error
  note('unreadable', error.message)
}

/** As deep as a person decides: a provider, a model, a limit. */
function listKeys(guarded: SettingsPatch): (readonly string[])[] {
  return Object.entries(guarded).flatMap(([key, value]) =>
    isFields(value) ? Object.keys(value).map((inner) => [key, inner]) : [[key]],
  )
}
