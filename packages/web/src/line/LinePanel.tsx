export function LinePanel() {
  return <section />
}
