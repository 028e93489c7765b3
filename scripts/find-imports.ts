export interface Import {
  readonly specifier: string
  readonly line: number
}

// A string is matched first so that what looks like a comment inside it stays. A comment must follow a blank, a
// bracket or the start of a line, which keeps the slashes of a regular expression from hiding the code after it.
const stringOrComment =
  /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=^|[\s({,])(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/)/gm

const importForms: readonly RegExp[] = [
  /(?<![\w$.])(?:import|export)\b[\w$\s{},*]*?\bfrom\s*(['"])(?<specifier>[^'"\n]+)\1/g,
  /(?<![\w$.])import\s*(['"])(?<specifier>[^'"\n]+)\1/g,
  /(?<![\w$.])(?:import|require(?:\.resolve)?)\s*\(\s*(['"`])(?<specifier>[^'"`\n]+)\1/g,
  /\b(?:import\.meta\.resolve|getBuiltinModule)\s*\(\s*(['"`])(?<specifier>[^'"`\n]+)\1/g,
]

/** Everything a module loads, whatever the syntax, types included. Specifiers that are computed are not seen. */
export function findImports(source: string): Import[] {
  const code = source.replace(stringOrComment, (match) =>
    match.startsWith('/') ? match.replace(/[^\n]/g, ' ') : match,
  )
  return importForms
    .flatMap((form) => [...code.matchAll(form)])
    .map((match) => ({ specifier: match.groups!.specifier!, end: match.index + match[0].length }))
    .sort((a, b) => a.end - b.end)
    .map(({ specifier, end }) => ({ specifier, line: code.slice(0, end).split('\n').length }))
}
