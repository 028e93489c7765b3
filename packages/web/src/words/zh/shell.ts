export const shell: Readonly<Record<string, string>> = {
  Chat: '对话',
  Tree: '树',
  Line: '上下文',
  'Show the line: what the model will get': '显示上下文：模型将收到的内容',
  'Hide the line': '隐藏上下文',
  'Reading the conversation…': '正在读取对话…',
  'This conversation is in the trash.': '该对话在回收站中。',
  'Cannot be opened': '无法打开',
  'Try again': '重试',
  'Live: what others do appears at once': '在线：他人的更改会立即显示',
  'Not connected. Trying again; nothing is lost.': '未连接，正在重试；不会丢失任何内容。',
  Dismiss: '关闭',
}
