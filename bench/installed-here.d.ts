// What the rows use of packages that are installed for bench/ alone, so that `npm run check` needs none of them and says the
// same whether they are there or not. What is wrong here shows when a row runs.

declare module '@earendil-works/pi-coding-agent' {
  export const VERSION: string
  export function initTheme(name: string): void

  interface PiEntry {
    readonly id: string
    readonly type: string
  }

  interface PiContext {
    readonly messages: readonly object[]
    readonly model: { readonly provider: string; readonly modelId: string } | null
    readonly thinkingLevel: string
  }

  interface PiSession {
    readonly id: string
    readonly firstMessage: string
    readonly modified: Date
    readonly messageCount: number
  }

  export class SessionManager {
    private constructor()
    static open(path: string, folder?: string): SessionManager
    static create(cwd: string, folder?: string): SessionManager
    static listAll(): Promise<readonly PiSession[]>
    getEntries(): readonly PiEntry[]
    getBranch(): readonly PiEntry[]
    getTree(): readonly unknown[]
    getLeafId(): string | null
    getEntry(id: string): PiEntry | undefined
    getLabel(id: string): string | undefined
    getSessionFile(): string | undefined
    getSessionName(): string | undefined
    buildSessionContext(): PiContext
    appendMessage(message: object): string
    createBranchedSession(leafId: string): string | undefined
  }

  export class TreeSelectorComponent {
    constructor(
      tree: readonly unknown[],
      leafId: string | null,
      rows: number,
      onSelect: (id: string) => void,
      onCancel: () => void,
    )
    handleInput(key: string): void
    render(columns: number): string[]
  }
}

declare module '@vscode/ripgrep' {
  export const rgPath: string
}

declare module 'ai' {
  type Part = { readonly type: 'text-delta'; readonly text: string } | { readonly type: 'finish' }

  export function streamText(options: { readonly model: object; readonly prompt: string }): {
    readonly stream: AsyncIterable<Part>
  }
}

declare module 'd3-hierarchy' {
  export class Node {
    constructor(data: unknown)
    children?: Node[]
    parent: Node | null
    depth: number
    x: number
    y: number
  }

  interface TreeLayout {
    (root: Node): Node
    nodeSize(size: readonly [number, number]): this
    separation(separation: () => number): this
  }

  export function hierarchy(data: object): Node
  export function tree(): TreeLayout
}
