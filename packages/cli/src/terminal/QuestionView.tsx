import type { ApprovalQuestion } from '@treeline/agent'
import { plainText } from '@treeline/core'
import { Box, Text } from 'ink'

/** Exactly what would run, uncropped, and what can be said to it. */
export function QuestionView({ question: { preview } }: { readonly question: ApprovalQuestion }) {
  return (
    <Box marginTop={1} flexDirection="column">
      <Text bold color="yellow">{`May this run? ${plainText(preview.title)}`}</Text>
      {preview.body === undefined ? null : (
        <Box marginLeft={2}>
          <Text>{plainText(preview.body)}</Text>
        </Box>
      )}
      <Text>
        <Text bold>y</Text> yes <Text bold>t</Text> this tool from now on <Text bold>e</Text> all edits from now on{' '}
        <Text bold>n</Text> no <Text bold>Esc</Text> cancel
      </Text>
    </Box>
  )
}
