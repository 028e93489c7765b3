import { splitAttached } from '@treeline/core'
import type { Part } from '@treeline/protocol'
import { CodeBlock } from '../markdown/CodeBlock.tsx'
import { Markdown } from '../markdown/Markdown.tsx'
import { t } from '../words/language.ts'
import { BlobImage } from './BlobImage.tsx'
import { describeCall, firstLine } from './describe-call.ts'
import { Fold } from './Fold.tsx'
import { Icon } from './Icon.tsx'
import { PlainText } from './PlainText.tsx'

interface PartViewProps {
  readonly part: Part
  /** Unique in the session. */
  readonly id: string
  /** A person's words stay as they were typed. */
  readonly isPlain?: boolean
}

/** One thing that a message is made of. */
export function PartView({ part, id, isPlain = false }: PartViewProps) {
  switch (part.type) {
    case 'text':
      return isPlain ? <SaidText text={part.text} id={id} /> : <Markdown text={part.text} />
    case 'reasoning':
      return <Thinking text={part.text} id={id} />
    case 'image':
      return <BlobImage blob={part.blob} mimeType={part.mimeType} />
    case 'tool_call':
      return <ToolCall call={part} id={id} />
    case 'tool_result':
      return <ToolResult result={part} id={id} />
  }
}

function SaidText({ text, id }: { readonly text: string; readonly id: string }) {
  // The first block is always taken for words, so it is asked for as the second.
  const [file] = splitAttached([
    { type: 'text', text: '' },
    { type: 'text', text },
  ]).attached
  if (file === undefined) return <PlainText text={text} />
  const body = text.slice(text.indexOf('\n') + 1, text.lastIndexOf('\n'))
  return (
    <Fold
      id={id}
      className="attached-file"
      summary={
        <>
          <Icon name="file" /> {file.path}
          {file.count !== undefined && <span className="soft"> {t('{count} lines', { count: file.count })}</span>}
        </>
      }
    >
      <CodeBlock code={body} language={file.path.split('.').at(-1) ?? ''} />
    </Fold>
  )
}

export function Thinking({
  text,
  id,
  isLive = false,
}: {
  readonly text: string
  readonly id: string
  readonly isLive?: boolean
}) {
  return (
    <Fold id={id} className="thinking" summary={isLive ? t('Thinking…') : t('Thought about it')}>
      <Markdown text={text} />
    </Fold>
  )
}

function ToolCall({ call, id }: { readonly call: Extract<Part, { type: 'tool_call' }>; readonly id: string }) {
  return (
    <Fold
      id={id}
      className="tool-call"
      summary={
        <>
          <strong>{call.displayName ?? call.name}</strong>{' '}
          <span className="soft mono">{call.description ?? describeCall(call.input)}</span>
        </>
      }
    >
      <CodeBlock code={JSON.stringify(call.input, null, 2) ?? ''} language="json" />
    </Fold>
  )
}

function ToolResult({ result, id }: { readonly result: Extract<Part, { type: 'tool_result' }>; readonly id: string }) {
  const { name, output, isError } = result
  const text = typeof output === 'string' ? output : textsOf(output)
  return (
    <Fold
      id={id}
      className={isError ? 'tool-result failed' : 'tool-result'}
      summary={
        <>
          <span className={isError ? 'problem' : 'soft'}>
            {isError ? t('{tool} failed:', { tool: name }) : t('{tool} gave:', { tool: name })}
          </span>{' '}
          <span className="soft mono">{text.trim() === '' ? t('nothing') : firstLine(text)}</span>
        </>
      }
    >
      <div className="tool-output">
        <PlainText text={text} />
      </div>
      {typeof output !== 'string' &&
        output.map((part, i) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is known by its place.
          part.type === 'image' ? <BlobImage key={i} blob={part.blob} mimeType={part.mimeType} /> : null,
        )}
    </Fold>
  )
}

function textsOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
