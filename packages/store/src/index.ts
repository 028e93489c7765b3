/** `@treeline/store`: where conversations live, how they are found, and how they are kept in order. */

export {
  type BackupOptions,
  type BackupProblem,
  type BackupProgress,
  type BackupReport,
  createBackup,
} from './backup/backup.ts'
export {
  applyBlobCollection,
  type BlobCollectionPlan,
  type BlobCollectionReport,
  type CollectOptions,
  planBlobCollection,
  type UnusedBlob,
} from './backup/collect-blobs.ts'
export type { RestoreAction, RestoreStep } from './backup/plan-restore.ts'
export { type RestoreBackupOptions, type RestoreReport, restoreBackup } from './backup/restore-backup.ts'
export { type BackupFinding, type VerifyOptions, type VerifyReport, verifyBackup } from './backup/verify-backup.ts'
export { type BlobRef, isBlobRef } from './blobs/blob-ref.ts'
export type { BlobStore } from './blobs/blob-store.ts'
export type { Restored, UnresolvedBlob } from './blobs/restore.ts'
export {
  type Breadcrumb,
  leaveBreadcrumb,
  preferredBy,
  readBreadcrumb,
  writeBreadcrumb,
} from './discovery/breadcrumbs.ts'
export {
  findMostRecentSession,
  getRecentSessions,
  list as listSessions,
  listAll as listAllSessions,
} from './discovery/recent.ts'
export { type ResolvedSession, type ResolveOptions, resolveSession } from './discovery/resolve-session.ts'
export { findTerminalId } from './discovery/terminal-id.ts'
export { checkHome, type HomeCheckOptions, type HomeDiagnosis } from './doctor/check-home.ts'
export { checkLog, type LogCheckOptions, type LogDiagnosis, type Verdict } from './doctor/check-log.ts'
export type { Finding, FindingCode, FindingSeverity } from './doctor/finding.ts'
export { type FixOptions, fixHome, type HomeFixes } from './doctor/fix-home.ts'
export { type RepairOptions, type RepairReport, repairLog } from './doctor/repair-log.ts'
export { type ApplyScrubOptions, applyScrub, type ScrubReport } from './doctor/scrub/apply-scrub.ts'
export { type FinishedScrubs, finishScrub } from './doctor/scrub/finish-scrub.ts'
export { planScrub, type ScrubOptions, type ScrubPlace, type ScrubPlan } from './doctor/scrub/scrub-plan.ts'
export type { ReadingOptions } from './doctor/whole-log.ts'
export { type FileStoreOptions, openFileStore } from './file-store.ts'
export { type Home, type HomeOptions, openHome } from './home.ts'
export { type AuditAction, type AuditEvent, type AuditRecord, readAudit } from './house/audit.ts'
export { type BranchSpace, measureBranches, type OneBranchSpace } from './house/branch-space.ts'
export { discardEmpty } from './house/discard-empty.ts'
export type { Progress, Work } from './house/progress.ts'
export { type PurgeOptions, type PurgeReport, purgeTrash } from './house/purge-trash.ts'
export { type RestoredItem, type RestoreOptions, restoreFromTrash } from './house/restore-from-trash.ts'
export {
  applyRetention,
  type KeepReason,
  type PlannedRemoval,
  planRetention,
  type RetentionOptions,
  type RetentionPlan,
  type RetentionReport,
} from './house/retention.ts'
export { type BlobSpace, measureSpace, type SessionSpace, type Space, type SpaceTotals } from './house/space.ts'
export { summariseTrashed } from './house/summarise-trashed.ts'
export { type TrashedSession, type TrashOptions, trashSession } from './house/trash.ts'
export { listTrash, type TrashedFile, type TrashItem } from './house/trash-item.ts'
export type {
  Access,
  Durability,
  LogEvent,
  LogReport,
  LogView,
  Plan,
  Planned,
  Planning,
  SessionLog,
} from './log/session-log.ts'
export { writeWhole } from './log/write-whole.ts'
export { findLogsByEnd } from './log-files.ts'
export { type MemoryStoreOptions, openMemoryStore } from './memory-store.ts'
export { moduleUrl } from './module-url.ts'
export { defaultHome, type HomePaths, homePaths } from './paths.ts'
export type { OpenLogs, Presence } from './presence/presence.ts'
export type { PastPrompt } from './prompt-history/past-prompt.ts'
export {
  type HistorySearchOptions,
  openPromptHistory,
  type PromptHistory,
  type RecentOptions,
  type RemovedPrompts,
} from './prompt-history/prompt-history.ts'
export type { SearchHit, SearchOptions, SearchPage, SearchRole, Snippet } from './search/search-types.ts'
export type { AppendOptions } from './session/append.ts'
export type { SessionConfig } from './session/config.ts'
export type { Followed, FollowOptions } from './session/follow.ts'
export type { ForkOptions } from './session/fork.ts'
export { explainInPlace, type InPlaceTerms } from './session/in-place.ts'
export { KeptFinder } from './session/kept-finder.ts'
export type { LeafMove } from './session/leaf-moves.ts'
export type { Partials, PartialWriter } from './session/partials.ts'
export { Session, type SessionParts } from './session/session.ts'
export type { ContextOptions, SessionLineOptions } from './session/session-reader.ts'
export type { SessionSummary } from './session/summary.ts'
export type { Undoable } from './session/undoable.ts'
export { type FindPageOptions, findPage } from './session-index/find-page.ts'
export { type FolderSourceOptions, folderSource } from './session-index/folder-source.ts'
export { type OpenIndexOptions, openIndex } from './session-index/open-index.ts'
export type {
  IndexedSession,
  ListOptions,
  ListOrder,
  RefreshOptions,
  RefreshProgress,
  RefreshReport,
  SessionIndex,
  SessionPage,
  Usage,
  UsageGroup,
  UsageOfSession,
  UsageOptions,
  UsageReport,
  Used,
} from './session-index/session-index.ts'
export type { NodePlace, SessionSource, SourceModule, SourceSession } from './session-index/session-source.ts'
export { type Answer, readAnswer } from './session-index/usage.ts'
export { createFileStorage } from './storage/file-storage.ts'
export { createMemoryStorage } from './storage/memory-storage.ts'
export type { FileStat, SessionStorage, SessionStorageWriter, StorageReader } from './storage/storage.ts'
export { storageError } from './storage-error.ts'
export type {
  ContinueOptions,
  CreateOptions,
  OpenOptions,
  OpenPathOptions,
  SessionStore,
  StoreOptions,
} from './store.ts'
