import { message, type SeedEntry } from './seed.ts'

/** Texts that made pages run or fetch what strangers wrote. Each says its number where it gets through. */
const HOSTILE: readonly string[] = [
  '<script>window.pwned = 1</script>',
  '</script><script>window.pwned = 2</script><!--<script>',
  '<img src=x onerror="window.pwned = 3">',
  '<svg onload="window.pwned = 4"><animate onbegin="window.pwned = 4">',
  '"><iframe srcdoc="<script>parent.pwned = 5</script>"></iframe>',
  "' onmouseover='window.pwned = 6' autofocus onfocus='window.pwned = 6' x='",
  '[a](javascript:window.pwned=7) [b](JaVaScRiPt&colon;window.pwned=7) [c](\tjavascript:window.pwned=7)',
  '[d](data:text/html,<script>opener.pwned=8</script>) [e](vbscript:x) <javascript:window.pwned=8>',
  '![p](https://tracker.example/pixel.png) ![q](//tracker.example/q.png) ![r](javascript:window.pwned=9)',
  '[s]: https://tracker.example/s.png\n\n![s] ![t][s]',
  '<style>*{background:url(https://tracker.example/style)}</style><link rel=stylesheet href=//tracker.example/l>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=window.pwned=10>',
  '<base href="https://tracker.example/"><meta http-equiv=refresh content="0;url=https://tracker.example/">',
  '```html"><img src=x onerror=window.pwned=11>\n<script>window.pwned = 11</script>\n```',
  '```mermaid\ngraph TD; A["<img src=x onerror=window.pwned=12>"]\n```',
  '| a | b |\n|---|---|\n| <img src=x onerror=window.pwned=13> | [x](javascript:window.pwned=13) |',
  '{{constructor.constructor("window.pwned = 14")()}} <%= window.pwned = 14 %>',
  '\u202Egnp.exe \u2066\u2067 \u2028window.pwned = 15\u2029 \u0000\u001B]8;;https://tracker.example/\u0007',
  '__proto__ constructor toString hasOwnProperty',
]

/** For fields of one line and some hundred characters. */
export const HOSTILE_NAME = `"'><img src=x onerror="window.pwned = 20"><svg/onload=window.pwned=21>\u202E`

/** A conversation in which every field is hostile. */
export function hostileEntries(): readonly SeedEntry[] {
  const all = HOSTILE.join('\n\n')
  const text = { type: 'text', text: all }
  const file = {
    type: 'text',
    text: `<file path="${HOSTILE_NAME.replaceAll('"', '&quot;')}" count="1">\n${all}\n</file>`,
  }
  const call = { type: 'toolCall', id: 'call-1', name: HOSTILE_NAME, arguments: { [HOSTILE_NAME]: all, path: all } }
  const answer = { role: 'assistant', provider: HOSTILE_NAME, model: HOSTILE_NAME }
  return [
    message('ask', null, { role: 'user', content: [text, file] }),
    message('think', 'ask', {
      ...answer,
      stopReason: 'toolUse',
      content: [{ type: 'thinking', thinking: all }, text, call],
    }),
    message('result', 'think', {
      role: 'toolResult',
      toolCallId: 'call-1',
      toolName: HOSTILE_NAME,
      content: [text],
      isError: true,
    }),
    message('broken', 'result', { ...answer, stopReason: 'error', errorMessage: all, content: [text] }),
    message('other', 'ask', { ...answer, stopReason: 'stop', content: [text] }),
    message('another', 'ask', { ...answer, stopReason: 'stop', content: [text] }),
    message('ask-2', 'broken', { role: 'user', content: [text] }),
    message('reply-2', 'ask-2', { ...answer, stopReason: 'stop', content: [text] }),
    ...['ask', 'think', 'other', 'reply-2'].map((targetId, i) => ({
      type: 'label',
      id: `label-${i}`,
      parentId: 'reply-2',
      timestamp: '2026-01-02T03:04:06.000Z',
      targetId,
      label: HOSTILE_NAME,
    })),
  ]
}
