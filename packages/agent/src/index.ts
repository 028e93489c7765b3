/** `@treeline/agent`: the loop that turns a line into an answer and writes every step down before it matters. */

export { Agent, createAgent, type RequestPreview } from './agent.ts'
export { readAttachment } from './attachments/read-attachment.ts'
export { type Clock, systemClock } from './clock.ts'
export { compact } from './compaction/compact.ts'
export { neovatePolicy } from './compaction/neovate-policy.ts'
export { piPolicy } from './compaction/pi-policy.ts'
export type { CompactionItem, CompactionPolicy, RequestSize } from './compaction/policy.ts'
export type { CompactionReport } from './compaction/report.ts'
export { type AgentOptions, createEnv } from './create-env.ts'
export type { AgentEnv } from './env.ts'
export type {
  GenerateRequest,
  GenerateSpec,
  GenerationEnd,
  GenerationEvent,
  Generations,
} from './generate/generate.ts'
export type { HookAnswer, Hooks } from './hooks.ts'
export * from './models/index.ts'
export type { Model, ModelCatalogue, ModelInfo, ThinkingLevel } from './models/model.ts'
export type { ClosedAnswer } from './recovery/close-interrupted.ts'
export type { RecoveryOptions, RecoveryReport } from './recovery/recover.ts'
export type { MarkedCall, Rerun } from './recovery/settle-calls.ts'
export { setApprovalMode, setMode, setModel, setThinkingLevel } from './session-config/choices.ts'
export { expandPasted, pasteImage, pasteText } from './session-config/pasted.ts'
export { recallPasted } from './session-config/recall-pasted.ts'
export { loadSettings } from './settings/load-settings.ts'
export type { SettingProblem } from './settings/problem.ts'
export type { AskTrust, TrustQuestion } from './settings/project-trust.ts'
export { findSetting, settingKeys } from './settings/setting-keys.ts'
export type { Settings } from './settings/settings.ts'
export { writeSetting } from './settings/write-settings.ts'
export { selectNode } from './summary/selecting.ts'
export type { ApprovalAnswer, ApprovalMode, ApprovalQuestion, AskApproval } from './tools/approval.ts'
export { builtinTools } from './tools/builtin-tools.ts'
export { readAllowed } from './tools/decide.ts'
export { runSearch } from './tools/search/run-search.ts'
export type { AnyTool, Tool, ToolContext, ToolOutput, ToolPreview } from './tools/tool.ts'
export type { TurnEvent } from './turn/events.ts'
export { readPartial } from './turn/partial-text.ts'
export type { Prompt } from './turn/prompt.ts'
export { runTurn, type TurnRequest } from './turn/turn.ts'
