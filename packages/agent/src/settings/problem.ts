/** Where a value comes from, strongest first. What none of them says is a default. */
export type SettingOrigin = 'flag' | 'environment' | 'project' | 'user'

/** Something in the settings that does not count, told once and survived. The message names the place and the key. */
export interface SettingProblem {
  /** `unreadable`: the whole file. `unknown`: kept, without effect. `untrusted`: waits for the user's word. */
  readonly kind: 'unreadable' | 'invalid' | 'unknown' | 'untrusted'
  readonly origin: SettingOrigin
  /** The file, or the environment variable. */
  readonly where: string
  /** Empty for a file as a whole. */
  readonly path: readonly string[]
  readonly message: string
}
