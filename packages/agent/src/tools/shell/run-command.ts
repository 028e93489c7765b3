import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { TreelineError } from '@treeline/core'
import type { KeptBytes } from '../kept-bytes.ts'
import { LiveText } from './live-text.ts'
import { OutputKeeper } from './output-keeper.ts'
import { endGroup, endWithProcess } from './process-group.ts'

export interface CommandOptions {
  readonly cwd: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly onOutput: (text: string) => void
}

export interface CommandResult {
  /** Standard output and error as they came. */
  readonly output: KeptBytes
  /** `undefined` when a signal ended it. */
  readonly exitCode: number | undefined
  readonly signal: NodeJS.Signals | undefined
  readonly ended: 'exited' | 'timeout' | 'cancelled'
  /** Something it started still holds its output, and goes on. */
  readonly leftRunning: boolean
}

/** Linux takes no longer argument. */
const MAX_COMMAND_BYTES = 128 * 1024 - 1
/** From the polite signal to the one that cannot be refused. */
const KILL_GRACE_MS = 1500
/** What was written before the end is in the pipe by then; what comes later is of something left running. */
const QUIET_MS = 50
const MAX_DRAIN_MS = 1000

/** A longer timer would ring at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

type Child = ChildProcessByStdio<null, Readable, null>

/**
 * Runs a command line in a shell, in a process group of its own, without input and without a terminal. On timeout and
 * cancel the whole group ends; what came until then is kept. Throws when it cannot be started.
 */
export async function runCommand(command: string, options: CommandOptions): Promise<CommandResult> {
  refuseCommand(command)
  await refuseCwd(options.cwd)
  options.signal.throwIfAborted()
  const child = await start(command, options.cwd)
  const keeper = new OutputKeeper()
  const live = new LiveText(options.onOutput)
  let lastOutputAt = Date.now()
  const take = (chunk: Buffer): void => {
    lastOutputAt = Date.now()
    keeper.push(chunk)
    live.push(chunk)
  }
  child.stdout.on('data', take)
  child.stdout.on('error', () => {
    // The pipe broke: what came until then is the output.
  })
  const isClosed = new Promise<boolean>((resolve) => child.stdout.once('close', () => resolve(true)))
  const exit = new Promise<Pick<CommandResult, 'exitCode' | 'signal'>>((resolve) => {
    child.once('exit', (code, signal) => resolve({ exitCode: code ?? undefined, signal: signal ?? undefined }))
  })
  const release = endWithProcess(child.pid!)
  const ended = await untilEnded(child, exit, options).finally(release)
  const { exitCode, signal } = await Promise.race([exit, givenUp(ended)])
  const isDrained = await drain(isClosed, () => lastOutputAt)
  child.stdout.off('data', take)
  if (!isDrained) letGo(child)
  live.end()
  return { output: keeper.kept(), exitCode, signal, ended, leftRunning: !isDrained }
}

function refuseCommand(command: string): void {
  if (command.includes('\0') || !command.isWellFormed()) {
    throw new TreelineError(
      'bad_request',
      'The command holds a NUL or half of a character, which no shell can be given.',
    )
  }
  if (Buffer.byteLength(command) > MAX_COMMAND_BYTES) {
    throw new TreelineError('payload_too_large', 'The command is too long. Write it to a file and run that.')
  }
}

async function refuseCwd(cwd: string): Promise<void> {
  const found = await stat(cwd).catch(() => undefined)
  if (!found?.isDirectory()) throw new TreelineError('bad_request', `There is no folder ${cwd} to run the command in.`)
}

/** The first shell makes both outputs one pipe, so that they come in order, and becomes the second. */
async function start(command: string, cwd: string): Promise<Child> {
  const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh'
  const child = spawn('/bin/sh', ['-c', 'exec 2>&1; exec "$0" -c "$1"', shell, command], {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' },
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (error) => {
      reject(new TreelineError('internal', `The command could not be started: ${error.message}.`, {}, { cause: error }))
    })
  })
  // A signal that cannot be delivered is reported here too, and dealt with where it is sent.
  child.on('error', () => {})
  return child
}

async function untilEnded(
  child: Child,
  exit: Promise<unknown>,
  { timeoutMs, signal }: CommandOptions,
): Promise<CommandResult['ended']> {
  const over = new AbortController()
  const stopped = AbortSignal.any([signal, over.signal])
  const tooLong = wait(Math.min(timeoutMs, MAX_TIMER_MS), 'timeout' as const, { signal: stopped }).catch(
    () => 'cancelled' as const,
  )
  const ended = await Promise.race([exit.then(() => 'exited' as const), tooLong])
  over.abort()
  if (ended !== 'exited') await endGroup(child.pid!, KILL_GRACE_MS)
  return ended
}

/** A process that the kernel does not let go of, or that is somebody else's by now, is not waited for. */
async function givenUp(ended: CommandResult['ended']): Promise<Pick<CommandResult, 'exitCode' | 'signal'>> {
  if (ended === 'exited') return new Promise(() => {})
  return wait(KILL_GRACE_MS, { exitCode: undefined, signal: undefined }, { ref: false })
}

/** Whether all output has come. False when the pipe stays open without a word, or for too long. */
async function drain(isClosed: Promise<boolean>, lastOutputAt: () => number): Promise<boolean> {
  for (const end = Date.now() + MAX_DRAIN_MS; Date.now() < end; ) {
    const asked = Date.now()
    if (await Promise.race([isClosed, wait(QUIET_MS, false)])) return true
    // A busy machine lets the timer ring before the pipe is read: it has its turn first.
    await new Promise(setImmediate)
    if (lastOutputAt() < asked) return Promise.race([isClosed, Promise.resolve(false)])
  }
  return false
}

/** What goes on in the background may go on writing; nobody keeps it, and nobody waits for it. */
function letGo(child: Child): void {
  child.stdout.resume()
  // A pipe to a child is a socket.
  const pipe = child.stdout as Socket
  pipe.unref()
  child.unref()
}
