// Checks that imports between packages follow the arrows of ARCHITECTURE.md, one line per violation.
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { findImports, type Import } from './find-imports.ts'

interface Rule {
  readonly mayImport: readonly string[]
  /** Loaded by the browser too, so no Node builtins. */
  readonly browser?: true
  /** No npm packages at all. */
  readonly pure?: true
  /** Published with what it imports inside: our packages are needed to build it, not to run it. */
  readonly bundled?: true
}

const rules: Readonly<Record<string, Rule>> = {
  core: { mayImport: [], browser: true, pure: true },
  store: { mayImport: ['core'] },
  formats: { mayImport: ['store', 'core'] },
  protocol: { mayImport: ['core'], browser: true },
  agent: { mayImport: ['store', 'protocol', 'core'] },
  server: { mayImport: ['agent', 'store', 'formats', 'protocol', 'core'] },
  cli: { mayImport: ['server', 'agent', 'store', 'formats', 'protocol', 'core'], bundled: true },
  web: { mayImport: ['core', 'protocol'], browser: true },
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

interface Package {
  readonly name: string
  readonly folder: string
  readonly rule: Rule
  readonly dependencies: ReadonlySet<string>
  readonly devDependencies: ReadonlySet<string>
}

/** Returns `file:line  what is wrong and what is allowed` for every import under `root`/packages that breaks a rule. */
export function findViolations(root: string): string[] {
  const violations: string[] = []
  for (const name of readdirSync(join(root, 'packages')).sort()) {
    const folder = join(root, 'packages', name)
    const manifestPath = join(folder, 'package.json')
    if (!existsSync(manifestPath)) continue
    const rule = rules[name]
    if (!rule) {
      violations.push(
        `${relative(root, manifestPath)}:1  ${name} has no rule: say in scripts/check-arrows.ts what it may import`,
      )
      continue
    }
    const manifest: Manifest = JSON.parse(readFileSync(manifestPath, 'utf8'))
    const dependencies = new Set(Object.keys(manifest.dependencies ?? {}))
    const devDependencies = new Set(Object.keys(manifest.devDependencies ?? {}))
    violations.push(...checkPackage(root, { name, folder, rule, dependencies, devDependencies }))
  }
  return violations
}

function checkPackage(root: string, pkg: Package): string[] {
  const violations: string[] = []
  const files = globSync('**/*.{ts,tsx,mts,js,jsx,mjs}', { cwd: pkg.folder, exclude: ['**/node_modules', '**/dist'] })
  for (const file of files.sort()) {
    const path = join(pkg.folder, file)
    for (const found of findImports(readFileSync(path, 'utf8'))) {
      const problem = findProblem(pkg, path, found)
      if (problem) violations.push(`${relative(root, path)}:${found.line}  ${problem}`)
    }
  }
  return violations
}

function findProblem(pkg: Package, path: string, { specifier }: Import): string | undefined {
  const { name, folder, rule } = pkg
  const ours = /^@treeline\/([^/]+)(\/src(?:\/|$))?/.exec(specifier)
  if (ours) return findArrowProblem(pkg, path, ours[1]!, ours[2] !== undefined)
  if (/^[./]|^file:/.test(specifier)) {
    const target = specifier.startsWith('.') ? resolve(dirname(path), specifier) : ''
    // What tests of several packages are driven with is of no package.
    const isForTests = target.startsWith(resolve(folder, '../../testing') + sep) && !isShippedSource(pkg, path)
    const inside = target.startsWith(folder + sep) || isForTests
    return inside ? undefined : `'${specifier}' leaves packages/${name}: import other packages by name, @treeline/…`
  }
  if (specifier.startsWith('#') || !isShippedSource(pkg, path)) return undefined
  if (isBuiltin(specifier)) {
    return (
      rule.browser && `${name} may not import '${specifier}': it runs in a browser; Node builtins are for tests only`
    )
  }
  return rule.pure && `${name} may not import '${specifier}': it has no npm dependencies, except in tests`
}

function findArrowProblem(pkg: Package, path: string, target: string, deep: boolean): string | undefined {
  const { name, rule, dependencies, devDependencies } = pkg
  const dependency = `@treeline/${target}`
  if (target === name) return `${name} may not import itself by name: use a relative path`
  if (!rule.mayImport.includes(target)) {
    const allowed = rule.mayImport.length > 0 ? `only ${rule.mayImport.join(', ')}` : 'no other package'
    return `${name} may not import ${dependency}, ${allowed}`
  }
  if (deep) return `${name} may not reach into ${dependency}/src: import what its package.json exports`
  if (dependencies.has(dependency)) return undefined
  if ((rule.bundled || !isShippedSource(pkg, path)) && devDependencies.has(dependency)) return undefined
  const kind = rule.bundled ? 'devDependencies' : 'dependencies'
  return `${dependency} is not declared: add it to the ${kind} in packages/${name}/package.json`
}

function isShippedSource({ folder }: Package, path: string): boolean {
  const file = relative(folder, path).replaceAll(sep, '/')
  return file.startsWith('src/') && !file.startsWith('src/testing/') && !/\.test\.[jt]sx?$/.test(file)
}

if (import.meta.main) {
  const violations = findViolations(resolve(import.meta.dirname, '..'))
  for (const violation of violations) console.error(violation)
  process.exitCode = violations.length > 0 ? 1 : 0
}
