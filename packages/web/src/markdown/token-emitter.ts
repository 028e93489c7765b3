import type { Emitter } from 'highlight.js'

/** A piece of code, and what it is: the innermost thing it belongs to. */
export interface CodeToken {
  readonly text: string
  /** `keyword`, `string`, `title`…, the first word of what the highlighter calls it. */
  readonly kind: string | undefined
}

/** Gathers what the highlighter finds as a flat list, where it would have written HTML. */
export class TokenEmitter implements Emitter {
  readonly tokens: CodeToken[] = []
  private readonly open: string[] = []

  startScope(name: string): void {
    this.open.push(name.split('.', 1)[0]!)
  }

  endScope(): void {
    this.open.pop()
  }

  addText(text: string): void {
    if (text === '') return
    const kind = this.open.findLast((scope) => !scope.startsWith('language:'))
    const last = this.tokens.at(-1)
    if (last !== undefined && last.kind === kind) this.tokens[this.tokens.length - 1] = { text: last.text + text, kind }
    else this.tokens.push({ text, kind })
  }

  __addSublanguage(emitter: Emitter): void {
    this.tokens.push(...(emitter as TokenEmitter).tokens)
  }

  /** What the highlighter calls inside is not what its types say. */
  openNode(name: string): void {
    this.startScope(name)
  }

  closeNode(): void {
    this.endScope()
  }

  finalize(): void {}

  toHTML(): string {
    return ''
  }
}
