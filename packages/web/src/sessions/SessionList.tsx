export function SessionList() {
  return <section />
}
