/** Sides that are Treeline. */
export const OUR_SIDES: readonly Job['side'][] = ['ours', 'cli', 'agent', 'server', 'fanout', 'tui', 'page/web']

/** One measurement, done in a process of its own: `node bench/child/<side>.ts '<job as JSON>'`. */
export interface Job {
  readonly side:
    | 'ours'
    | 'cli'
    | 'agent'
    | 'server'
    | 'fanout'
    | 'tui'
    | 'page/web'
    | 'pi'
    | 'pi-tui'
    | 'hello'
    | 'bare'
    | 'rg'
    | 'ai-sdk'
    | 'fanout-ws'
    | 'page/empty-canvas'
  /** One of the side's actions. */
  readonly action: string
  /** The tool's home: `$TREELINE_HOME`, `$PI_CODING_AGENT_DIR`. */
  readonly home: string
  /** The session it is about. */
  readonly path?: string
  /** The same by its id, where a server is asked for it. */
  readonly sessionId?: string
  readonly append?: AppendOptions
  /** With what it takes to share the file with others. */
  readonly locked?: boolean
  readonly stream?: StreamOptions
  readonly fanout?: FanoutOptions
  readonly terminal?: TerminalOptions
  readonly web?: WebOptions
  /** How much to copy. */
  readonly bytes?: number
  /** How many sessions to list. */
  readonly limit?: number
  /** What to search for. */
  readonly query?: string
  /** Which of the searches for prompts. */
  readonly prompts?: 'prefix' | 'substring'
  /** Measures memory too, which needs `--expose-gc` and a collection before and after. */
  readonly memory?: boolean
  /** Waits for a line on stdin between preparing and running, so that several start together. */
  readonly waits?: boolean
}

export interface AppendOptions {
  readonly mode: 'synced' | 'unsynced'
  readonly inFlight: number
  readonly count: number
}

export interface StreamOptions {
  readonly from: 'memory' | 'wire'
  readonly count: number
  /** How many turns come before the one that is timed. */
  readonly earlier: number
}

/** A message to many, again and again. */
export interface FanoutOptions {
  readonly clients: number
  readonly events: number
  readonly perSecond: number
}

/** A program that is started in a terminal. */
export interface TerminalOptions {
  readonly program: string
  readonly cwd: string
  /** The file of the session to open; a new one without. */
  readonly session?: string
  /** A word that is seen when the session is. */
  readonly word?: string
}

/** A program that serves, looked at in a browser. */
export interface WebOptions {
  readonly program: string
  /** How many answers are being written meanwhile. */
  readonly streams?: number
}

/** What was found and counted; rows check it, so that nobody is quick by doing less. */
export type Facts = Readonly<Record<string, string | number>>

/** Made by an action, untimed. `run` is what is timed; its result stays alive until memory is measured. */
export interface Prepared {
  run(): unknown
  facts(result: unknown): Facts | Promise<Facts>
}

export type Action = (job: Job) => Prepared | Promise<Prepared>

/** What the process prints, on one line. */
export interface Sample {
  readonly ms: number
  /** On a clock that processes share. */
  readonly startedAtMs: number
  readonly endedAtMs: number
  /** Bytes asked of the file system while timed; where the platform counts them. */
  readonly readBytes?: number
  /** Resident memory after, minus before; garbage is collected both times. */
  readonly rssAddedBytes?: number
  /** Highest resident memory ever, minus that before. Too low if loading the modules took more. */
  readonly peakAddedBytes?: number
  readonly facts: Facts
}

/** For an action whose result has a type. */
export function prepared<T>(run: () => T | Promise<T>, facts: (result: T) => Facts | Promise<Facts>): Prepared {
  return { run, facts: (result) => facts(result as T) }
}
