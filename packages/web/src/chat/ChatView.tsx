export function ChatView() {
  return <section />
}
