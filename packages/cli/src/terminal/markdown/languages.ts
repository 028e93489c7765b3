/** What a language is recognised by. Enough for colours, not for more. */
export interface Language {
  readonly lineComments: readonly string[]
  readonly blockComment?: readonly [string, string]
  /** End with their line at the latest. */
  readonly strings: readonly string[]
  /** May go over many lines. Longer ones first. */
  readonly longStrings: readonly string[]
  readonly keywords: ReadonlySet<string>
  readonly ignoresCase?: boolean
  /** Of words, besides letters, digits and `_`. */
  readonly wordMarks?: string
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const SCRIPT: Language = {
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
  strings: ['"', "'"],
  longStrings: ['`'],
  keywords: words(
    'abstract as async await break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let namespace new null of private protected public readonly return satisfies set static super switch this throw true try type typeof undefined using var void while with yield any bigint boolean never number object string symbol unknown',
  ),
}

const JSON_LIKE: Language = { ...SCRIPT, longStrings: [], keywords: words('true false null') }

const PYTHON: Language = {
  lineComments: ['#'],
  strings: ['"', "'"],
  longStrings: ['"""', "'''"],
  keywords: words(
    'False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try type while with yield',
  ),
}

const SHELL: Language = {
  lineComments: ['#'],
  strings: [],
  longStrings: ['"', "'"],
  keywords: words(
    'if then elif else fi for in while until do done case esac select function return exit break continue local export readonly declare set unset shift source alias trap eval exec cd echo sudo',
  ),
  wordMarks: '-',
}

const GO: Language = {
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
  strings: ['"', "'"],
  longStrings: ['`'],
  keywords: words(
    'any bool break byte case chan const continue default defer else error fallthrough false float32 float64 for func go goto if import int int32 int64 interface iota make map new nil package range return rune select string struct switch true type uint uint8 uint32 uint64 var',
  ),
}

const RUST: Language = {
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
  // No `'`: most of them are lifetimes.
  strings: [],
  longStrings: ['"'],
  keywords: words(
    'Err None Ok Option Result Self Some String Vec as async await bool break char const continue crate dyn else enum extern f32 f64 false fn for i32 i64 if impl in let loop match mod move mut pub ref return self static str struct super trait true type u8 u32 u64 unsafe use usize where while',
  ),
}

const SQL: Language = {
  lineComments: ['--'],
  blockComment: ['/*', '*/'],
  strings: [],
  longStrings: ["'", '"'],
  ignoresCase: true,
  keywords: words(
    'add all alter and as asc begin between by case check column commit constraint create cross default delete desc distinct drop else end exists explain false foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary references returning right rollback select set table then transaction true union unique update using values view when where with',
  ),
}

const STYLESHEET: Language = {
  lineComments: [],
  blockComment: ['/*', '*/'],
  strings: ['"', "'"],
  longStrings: [],
  keywords: words(
    '@media @import @font-face @keyframes @supports @layer @container @property @use @mixin @include important from to and not only',
  ),
  wordMarks: '@-',
}

const NAMES: readonly (readonly [Language, string])[] = [
  [SCRIPT, 'ts tsx mts cts typescript js jsx mjs cjs javascript node'],
  [JSON_LIKE, 'json jsonc json5 jsonl'],
  [PYTHON, 'py python python3'],
  [SHELL, 'sh bash zsh shell console'],
  [GO, 'go golang'],
  [RUST, 'rs rust'],
  [SQL, 'sql sqlite postgres postgresql mysql'],
  [STYLESHEET, 'css scss less'],
]

export const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  NAMES.flatMap(([language, names]) => names.split(' ').map((name) => [name, language] as const)),
)
