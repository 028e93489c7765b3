import { existsSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { readLog } from '@treeline/core'
import type { SessionConfig } from '@treeline/store'
import { readWhole } from '../../read-file.ts'
import { findLines } from '../lines.ts'
import { type Fields, isConfig, isFields } from '../record.ts'
import { validSettings } from '../settings.ts'
import { isNeovateFile, type LogPlace, openLog, useStore } from './open-log.ts'

/**
 * The settings of a session (N23–N32). Loading copies: no two managers share a list (X5). Writing appends, so that nobody
 * else's lines can be lost (X3).
 *
 * @example
 * const manager = new SessionConfigManager({ logPath })
 * manager.config.approvalTools.push('bash')
 * await manager.write()
 */
export class SessionConfigManager {
  /** Where the session is; of a file of Neovate's, once something was written, where it was imported to. */
  logPath: string
  config: SessionConfig
  private readonly place: LogPlace
  /** As it was last read or written: only what differs is said. */
  private loaded: SessionConfig

  constructor(place: LogPlace) {
    this.place = place
    this.logPath = place.logPath
    this.config = this.load(place.logPath)
    this.loaded = structuredClone(this.config)
  }

  /** Defaults where there is no file, or nothing in it (N30). The last word counts; in a file of Neovate's, its first (X4). */
  load(logPath: string): SessionConfig {
    if (!existsSync(logPath)) return withDefaults({})
    const bytes = readWhole(logPath)
    if (!isNeovateFile(logPath)) return withDefaults(Object.fromEntries(readLog(bytes).tree.edits.config))
    const record = findLines(bytes).find(({ value }) => value !== undefined && isConfig(value))?.value
    return withDefaults(isFields(record?.config) ? record.config : {})
  }

  /** What was changed since it was loaded, durable when it resolves. Refuses, as a whole, what is no valid setting. */
  async write(): Promise<void> {
    await using used = await useStore({ ...this.place, logPath: this.logPath })
    await using session = await openLog(used.store, { ...this.place, logPath: this.logPath })
    const keys = new Set([...Object.keys(this.loaded), ...Object.keys(this.config)])
    const changed = [...keys].filter((key) => !isDeepStrictEqual(this.config[key], this.loaded[key]))
    await session.setConfig(Object.fromEntries(changed.map((key) => [key, this.config[key] ?? null])))
    this.loaded = structuredClone(this.config)
    this.logPath = session.path
  }
}

/** Settings of a form nobody knows give the default. */
function withDefaults(stored: Fields): SessionConfig {
  const valid = Object.fromEntries(validSettings(stored).map((key) => [key, structuredClone(stored[key])]))
  return { approvalMode: 'default', approvalTools: [], pastedTextMap: {}, pastedImageMap: {}, ...valid }
}
