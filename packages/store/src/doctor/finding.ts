/** `info` is worth knowing, a `note` is survivable and hides nothing, `damage` means that something cannot be read. */
export type FindingSeverity = 'info' | 'note' | 'damage'

/**
 * Everything the doctor can find. `says` is what it means and what to do; `isRepairable` marks what `repairLog` removes
 * from a log. The codes are stable: programs may act on them.
 */
const FINDINGS = {
  cannot_read: damage('The file or folder cannot be read. Check who owns it and the disk it is on.'),
  empty: damage(
    'The file holds no entry at all: a disk was full, or a write never arrived. Restore it from a backup, or move it away.',
  ),
  no_header: damage('The first line is no header. Its entries are read; repair gives it a header.', true),
  not_json: damage('These bytes are no entry. Repair leaves them out and keeps the original.', true),
  not_an_object: damage('This line is JSON but no entry. Repair leaves it out and keeps the original.', true),
  no_type: damage('This line is an object without a type. Repair leaves it out and keeps the original.', true),
  torn: damage('A write was cut short here. Repair leaves the rest of it out and keeps the original.', true),
  garbage_before_record: damage('There are other bytes before an entry on its line. Repair takes them away.', true),
  garbage_after_record: damage('There are other bytes behind an entry on its line. Repair takes them away.', true),
  too_deep: damage('This line is nested too deep to be an entry. Repair leaves it out and keeps the original.', true),
  too_long: damage('This line is too long to be read. Repair leaves it out and keeps the original.', true),
  nul_run: damage('A run of NULs: the file system never got what was written here. Repair takes it away.', true),
  unreadable_body: damage(
    'The line begins as an entry and cannot be parsed. Repair keeps its place in the tree.',
    true,
  ),
  unclean_body: damage('The entry can be read, but other bytes are glued to it. Repair takes them away.', true),
  blob_missing: damage('A large value of this entry is missing. Restore it from a backup; the rest is not affected.'),
  blob_damaged: damage('A large value of this entry is not what was stored. Restore it from a backup.'),
  torn_tail: note('The last line was cut short before it was acknowledged. The next entry starts a new line.', true),
  bom: note('A byte order mark, which another program put there. It does no harm.', true),
  crc_mismatch: note('The checksum does not hold: another program changed this line, or a disk did. Compare it.', true),
  invalid_utf8: note('Some bytes are no UTF-8 and are shown as replacement characters.'),
  extra_header: note('A second header, which is not an entry. Two files may have been joined.', true),
  header_invalid: note('The header is not as it should be; the session is read all the same.'),
  newer_version: note('Of a version that is not known here, so it is read-only. Update Treeline, or fork it.'),
  older_version: info('An older version of the format; the first new entry migrates it and keeps the original.'),
  blank: info('White space only.'),
  duplicate_id: note('The same id is on several lines: the last one counts, for edits the first.', true),
  orphan: note('The parent of this entry is not in the log; it is shown as a root.'),
  self_parent: note('This entry names itself as its parent; it is shown as a root.'),
  cycle: note('A ring of parents, cut at its first line, which is shown as a root.'),
  edit_failed: note('This edit no longer fits the tree and is left out as a whole.'),
  open_mode: note(
    'Others on this machine may read or change it. `treeline doctor --fix` sets 0600 for files, 0700 for folders.',
  ),
  other_owner: note('It belongs to another user of this machine. Change its owner, or move it away.'),
  link: note('A symbolic link, which is never followed here. Move what it points to in its place.'),
  not_a_file: note('Neither a file nor a folder, which does not belong here. Move it away.'),
  old_temp_file: note(
    'Left by a write that never finished, more than an hour ago. `treeline doctor --fix` removes it.',
  ),
  temp_file: info('A write that is going on, or was cut short within the last hour.'),
  kept_original: info('The original of a migration or repair. Delete it when you no longer want it.'),
  stray_columns: note(
    'Saved columns of a session that is not here. They are a cache; `treeline doctor --fix` removes them.',
  ),
  index_unusable: note('The index cannot be used. It is derived from the logs and will be rebuilt.'),
  history_unusable: damage('The prompt history cannot be read. Restore it from a backup, or move it away.'),
  bad_trash_item: note('Something in the trash does not say where it came from. Look at it and remove it by hand.'),
  stray_partial: note('Text of an answer in a session that is not here.'),
  scrub_unfinished: damage('A scrub was interrupted and could not be finished. Run the scrub again.'),
  scrub_finished: info('A scrub that had been interrupted was finished just now.'),
} as const satisfies Record<string, Meaning>

interface Meaning {
  readonly severity: FindingSeverity
  readonly says: string
  readonly isRepairable: boolean
}

export type FindingCode = keyof typeof FINDINGS

export interface Finding {
  readonly code: FindingCode
  readonly severity: FindingSeverity
  /** What it means and what to do. */
  readonly message: string
  /** The particulars, where there are any. */
  readonly detail?: string
  readonly path?: string
  readonly offset?: number
  readonly length?: number
  /** 1-based. */
  readonly line?: number
  /** Of an entry, or the hash of a blob. */
  readonly id?: string
  /** The first bytes, in hex and as text with everything but plain ASCII escaped. */
  readonly preview?: { readonly hex: string; readonly text: string }
}

export type FindingPlace = Omit<Finding, 'code' | 'severity' | 'message'>

export function makeFinding(code: FindingCode, place: FindingPlace = {}): Finding {
  const { severity, says } = FINDINGS[code]
  return { code, severity, message: says, ...place }
}

export function isRepairable(code: FindingCode): boolean {
  return FINDINGS[code].isRepairable
}

const MAX_LISTED = 10_000

/** Findings in the order they were made. A file that is no log at all must not fill memory: the rest is counted. */
export class Findings {
  readonly list: Finding[] = []
  readonly counts = new Map<FindingCode, number>()
  unlisted = 0
  worst: FindingSeverity | undefined

  add(code: FindingCode, place?: FindingPlace): void {
    const finding = makeFinding(code, place)
    this.counts.set(code, (this.counts.get(code) ?? 0) + 1)
    if (this.worst === undefined || RANK[finding.severity] > RANK[this.worst]) this.worst = finding.severity
    if (this.list.length < MAX_LISTED) this.list.push(finding)
    else this.unlisted++
  }
}

const RANK = { info: 0, note: 1, damage: 2 } as const

function info(says: string): Meaning {
  return { severity: 'info', says, isRepairable: false }
}

function note(says: string, isRepairable = false): Meaning {
  return { severity: 'note', says, isRepairable }
}

function damage(says: string, isRepairable = false): Meaning {
  return { severity: 'damage', says, isRepairable }
}
