/** A text of ours with the commands in it set as such; what the server adds to it stands below. */
export function Told({ text }: { readonly text: string }) {
  const [said = '', ...added] = text.split('\n')
  return (
    <>
      {withCommands(said)}
      {added.length > 0 && <small className="told-detail">{withCommands(added.join('\n'))}</small>}
    </>
  )
}

function withCommands(text: string) {
  return text.split(/`([^`]+)`/).map((piece, i) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other name.
    return i % 2 === 1 ? <code key={i}>{piece}</code> : piece
  })
}
