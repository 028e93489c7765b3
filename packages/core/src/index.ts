/** `@treeline/core`: entries, tree, edits, context and line, without I/O. Listed along the flow: bytes → entries → tree → line. */

export { copyRows } from './codec/copy-rows.ts'
export { crc32 } from './codec/crc32.ts'
export { type DecodedLog, decodeLog } from './codec/decode.ts'
export { isDeeperThan } from './codec/depth.ts'
export { encodeHeader, encodeLine, headFirst, type PreparedMessages, prepareMessage } from './codec/encode.ts'
export type { LogNote, Severity, SkippedRange, SkipReason } from './codec/findings.ts'
export { type Head, Heads, LONG } from './codec/heads.ts'
export { openLineScanner } from './codec/line-scanner.ts'
export type { MessageHead } from './codec/message-row.ts'
export type { DecodeUtf8, RecordCodec } from './codec/parse.ts'
export { type ExpectedRecord, parseRecord, type ReadRecord } from './codec/parse-record.ts'
export type { LogRecord } from './codec/record.ts'
export { type RunCrc, takeRunCrc } from './codec/run-crc.ts'
export { HeadScanner, type ScanOptions, scanLog } from './codec/scan.ts'
export {
  type Crc32,
  type CrcState,
  checkCrc,
  resealInPlace,
  sealInPlace,
  sealRecord,
  withoutCrc,
} from './codec/seal.ts'
export { type BlobRef, findBlobRefs, replaceBlobRefs } from './context/blob-refs.ts'
export { buildContext, type Context } from './context/context.ts'
export { applyEdit, type MessageEdit, readEdits } from './context/context-edit.ts'
export { detectDialect } from './context/detect-dialect.ts'
export type { Dialect } from './context/dialect.ts'
export type { PathView } from './context/path-view.ts'
export type { ContextProblem, ProblemReason } from './context/problem.ts'
export type { ContextState } from './context/state.ts'
export { type AppendPlan, type AppendRequest, type EntryDraft, planAppend, planLeafAfter } from './edit/append.ts'
export { MERGE_TYPE, type MergeBranch, mergedBranches, mergeText } from './edit/merge.ts'
export { isNamedByPerson } from './edit/naming.ts'
export type { Detached, EditData, EditOp, EditRequestOp } from './edit/op.ts'
export { ownEntry, withOwnEntries } from './edit/own-entries.ts'
export { type EditPlan, type EditRequest, type EditSource, type EditWarning, planEdit } from './edit/plan.ts'
export type { EditRecord } from './edit/state.ts'
export { planRedo, planUndo, type UndoRequest } from './edit/undo.ts'
export {
  type AttachedFile,
  isAttachedText,
  splitAttached,
  toAttachedText,
  withoutAttached,
} from './entry/attached-file.ts'
export type * from './entry/entry.ts'
export {
  EDIT_TYPE,
  GENERATION_TYPE,
  Kind,
  kindOf,
  type Place,
  placeOf,
  Role,
  roleOf,
  treeReadsBody,
} from './entry/kind.ts'
export type * from './entry/message.ts'
export { parseEntry, type Validated, validateEntry, validateHeader } from './entry/validate.ts'
export { ERROR_CODES, type ErrorCode, type ErrorDetails, isErrorCode, TreelineError } from './errors.ts'
export { buildConversationHistory, getAllBranches } from './history/conversation-history.ts'
export type { FlatEntry, LinkedEntry } from './history/flat-entry.ts'
export { flatSource } from './history/flat-source.ts'
export { findIncompleteToolCallsOnPath, type IncompleteToolCall } from './history/incomplete-on-path.ts'
export { findIncompleteToolCalls } from './history/incomplete-tool-calls.ts'
export { neovateThreshold } from './history/neovate-threshold.ts'
export { isSafeId, newEntryId, refuseId } from './ids.ts'
export { estimateMessageTokens, estimateTokens } from './line/estimate-tokens.ts'
export { buildLine, type Line, type LineOptions } from './line/line.ts'
export type * from './line/line-message.ts'
export { type Injected, type Injection, type LineStrategy, pinnedNotes, systemText } from './line/strategy.ts'
export { contextOf, type Log, lineOf, readLog } from './log.ts'
export { deriveEntryId } from './migrate/derive-entry-id.ts'
export {
  isKnownVersion,
  LOG_VERSION,
  logVersion,
  type MigratedLog,
  migrateLog,
  upgradeEntry,
  upgradeHeader,
} from './migrate/migrate.ts'
export { type DrawStyle, drawTree, type NodeMarks, type TreeSource } from './preview/ascii-tree.ts'
export { columnsOf } from './preview/columns.ts'
export { graphemesOf } from './preview/graphemes.ts'
export { plainText } from './preview/plain-text.ts'
export { firstGraphemes, preview, previewColumns } from './preview/preview.ts'
export { textOf } from './preview/text-of.ts'
export { describeToolCall } from './preview/tool-call-text.ts'
export { treeSource } from './preview/tree-source.ts'
export { type ReadBodies, type ReadBodiesAsync, runSteps, runStepsAsync, type Steps } from './steps.ts'
export { attachedNodes, type Branch, type Fragment, listBranches, listFragments } from './tree/branches.ts'
export { Flag, NOWHERE, ROOT } from './tree/columns.ts'
export { attachedLeaf, descend } from './tree/leaf.ts'
export { commonAncestor, type LinePath, linePath, nodePath, runUp, storedPath, TreePath } from './tree/path.ts'
export { lineEnd } from './tree/path-end.ts'
export type { TreeProblem } from './tree/problem.ts'
export { PAGE_BYTES, type ReadSection, type Section } from './tree/sections.ts'
export { restoreTree, saveTree, type TreeSnapshot } from './tree/snapshot.ts'
export { Tree, type TreeOptions } from './tree/tree.ts'
export { treeAt } from './tree/tree-at.ts'
