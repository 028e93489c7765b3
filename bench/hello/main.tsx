import { Box, render, Text, useInput } from 'ink'
import { useState } from 'react'

function Hello() {
  const [text, setText] = useState('')
  useInput((input, key) => {
    if (key.ctrl && input === 'd') app.unmount()
    else setText(key.backspace || key.delete ? text.slice(0, -1) : text + input)
  })
  return (
    <>
      <Box marginTop={1}>
        <Text color="cyan">❯ </Text>
        {text === '' ? (
          <Text dimColor>{'\u001b[7mA\u001b[27msk something.'}</Text>
        ) : (
          <Text>{`${text}\u001b[7m \u001b[27m`}</Text>
        )}
      </Box>
      <Text dimColor>{process.cwd()}</Text>
    </>
  )
}

const app = render(<Hello />, { exitOnCtrlC: false, patchConsole: false })
await app.waitUntilExit()
