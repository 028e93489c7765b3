export function TreeView() {
  return <section />
}
