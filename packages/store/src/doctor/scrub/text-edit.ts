import { CUT_NOTICE, cutText } from '../../blobs/large-text.ts'
import type { SecretPattern } from './secret-pattern.ts'

/** A blob that was written anew: what it was and what it is, when it is text. */
export interface RenamedBlob {
  readonly hash: string
  readonly readTexts: () => { readonly before: string; readonly after: string } | undefined
}

const REFERENCE = /blob:sha256:([a-f0-9]{64})/g

/** What a scrub does to text: the secret goes, and references follow the blobs that had to get another name. */
export class TextEdit {
  readonly pattern: SecretPattern
  readonly renamed: ReadonlyMap<string, RenamedBlob>

  constructor(pattern: SecretPattern, renamed: ReadonlyMap<string, RenamedBlob> = new Map()) {
    this.pattern = pattern
    this.renamed = renamed
  }

  /** Whether some bytes, as latin1, may be concerned at all. */
  mayConcern(latin1: string): boolean {
    return this.pattern.isInBytes(latin1) || this.findRenamed(latin1).length > 0
  }

  /** `cutOf`: blobs that hold the whole of a text that was cut. */
  apply(text: string, cutOf: readonly RenamedBlob[] = []): string {
    return this.cutAnew(text, cutOf) ?? this.rename(this.pattern.replaceIn(text))
  }

  /** Bytes, as latin1, that are no JSON: the length stays. */
  applyToBytes(latin1: string): string {
    return this.rename(this.pattern.starOut(latin1))
  }

  findRenamed(latin1: string): RenamedBlob[] {
    if (this.renamed.size === 0) return []
    return [...latin1.matchAll(REFERENCE)].flatMap(([, hash]) => this.renamed.get(hash!) ?? [])
  }

  private rename(text: string): string {
    if (this.renamed.size === 0) return text
    return text.replace(REFERENCE, (ref, hash: string) => {
      const blob = this.renamed.get(hash)
      return blob === undefined ? ref : `blob:sha256:${blob.hash}`
    })
  }

  /** The cut may go through the middle of the secret; and it has to be the beginning of the text it was cut from. */
  private cutAnew(text: string, cutOf: readonly RenamedBlob[]): string | undefined {
    if (cutOf.length === 0 || !text.endsWith(CUT_NOTICE)) return undefined
    const beginning = text.slice(0, -CUT_NOTICE.length)
    for (const blob of cutOf) {
      const texts = blob.readTexts()
      if (texts?.before.startsWith(beginning)) return cutText(texts.after)
    }
    return undefined
  }
}
