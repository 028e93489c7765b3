/**
 * The URL of a module that a thread loads by name. From source it lies beside the one that asks (`from` is its
 * `import.meta.url`); in a bundle everything lies in one folder, and the module is an entry of its own with that name.
 */
export function moduleUrl(name: string, from: string): string {
  const ending = new URL(from).pathname.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`./${name}.${ending}`, from).href
}
