import type { Words } from '../../../output/language.ts'

/** What the commands behind a slash are for, and what they answer; those of the tree are in tree-commands.ts. */
export const commandWords: Words = {
  command: '命令',
  'what it does': '作用',
  key: '按键',
  'what can be said to the chat itself': '列出所有命令',
  'what the keys do': '列出按键',
  '!command runs a command and shows it to the model, !!command only to you.':
    '!command 运行命令并给模型看，!!command 只给自己看。',
  'There is no command /{name}. /help lists them.': '没有命令 /{name}。/help 列出所有命令。',
  'There is no command /{name}. Did you mean /{near}?': '没有命令 /{name}。是不是想用 /{near}？',
  'Give the name of a command: /help lists them.': '请写出命令名：/help 列出所有命令。',

  'begin a new session': '新建会话',
  'A new beginning. As before, nothing is kept.': '重新开始。和之前一样，不保存任何内容。',
  'A new session. The one before: /resume {id}': '新会话。之前的会话：/resume {id}',
  'This one is new: nothing was said in it yet.': '这已经是新会话，还没有对话。',
  'go on with another session; without ID, choose one': '继续另一个会话；不写 ID 则从列表选择',
  'name this session, or show its name': '给会话命名，或显示名称',
  'It has no name yet: /name NAME gives it one.': '还没有名称：用 /name NAME 命名。',
  'Named {name}.': '名称：{name}。',
  'a copy of this branch as a new session, up to NODE': '把当前分支（到 NODE 为止）派生为新会话',
  'This chat keeps nothing (--no-session), and a fork would be kept.':
    '这次对话不保存（--no-session），而派生的会话会保存。',
  'Forked: {id} with {entries}. The one before: /resume {before}':
    '已派生：{id}，{entries}。之前的会话：/resume {before}',
  'leave; the session is kept as it is': '退出；会话会保存',

  'look for words in all sessions of all tools': '在所有工具的所有会话中搜索',
  'Give words to look for: /search flaky test.': '请写出要搜索的词：/search flaky test。',
  'Nothing says that. All words have to be in the same node; try fewer.':
    '没有匹配的内容。所有词须出现在同一节点，可减少几个词再试。',
  'There are more: `treeline search` shows them.': '还有更多：用 `treeline search` 查看。',
  '/go NODE goes to one in this session.': '/go NODE 前往本会话中的结果。',
  '/go SESSION NODE goes to one in another session.': '/go SESSION NODE 前往其他会话中的结果。',

  'write this session into a file: html, markdown, json …': '把会话导出为文件：html、markdown、json…',
  '{path} is the session itself, and is never overwritten.': '{path} 就是会话文件本身，不会被覆盖。',
  'Nothing was written.': '没有写入任何内容。',
  'Written: {path}': '已写入：{path}',
  '{count} more notes: `treeline export` tells them all.': '还有 {count} 条说明：`treeline export` 会全部列出。',
  'Give a format or a file that ends in one: /export html, /export chat.md. Formats: {formats}.':
    '请写出格式，或以其为后缀的文件：/export html、/export chat.md。格式：{formats}。',
  'There are too many exports of it here. Give a name: /export chat.md.':
    '这里的导出文件太多。请指定文件名：/export chat.md。',
  'There is something at {path} already. Overwrite it?': '{path} 已存在。要覆盖吗？',
  'No, leave it': '不，保留原文件',
  'Yes, overwrite it': '是，覆盖',

  'sum up the beginning; TEXT says what matters': '压缩前面的对话；TEXT 说明要保留的重点',
  'Summing up …': '正在压缩…',
  'There is too little to sum up yet.': '内容太少，还不需要压缩。',
  'Summed up {messages}, {kept} kept as they are: about {before} → {after} tokens.':
    '已压缩 {messages}，保留原样 {kept} 条：约 {before} → {after} token。',
  '/undo takes it back.': '/undo 可撤销。',

  'what the model gets, how much, what not and why': '模型看到什么、多少，没看到什么及原因',
  '~tokens': '约 token',
  role: '角色',
  text: '内容',
  node: '节点',
  type: '类型',
  why: '原因',
  'left out': '排除',
  '1 earlier one is not shown.': '更早的 1 个未显示。',
  '{count} earlier ones are not shown.': '更早的 {count} 个未显示。',
  '{messages}, about {tokens} of {window} tokens ({percent} %), {price}, for {model}; {nodes} out':
    '{messages}，约 {tokens} / {window} token（{percent}%），{price}，模型 {model}；{nodes}被排除',
  'price not known': '价格未知',
  free: '免费',
  '{cost} to send': '发送需 {cost}',

  'who answers from here on; without MODEL, list them': '选择之后由谁回答；不写 MODEL 则列出模型',
  '{model} answers from here on.': '之后由 {model} 回答。',
  context: '上下文',
  'key or place': '密钥或位置',
  'Choose: /model PROVIDER/MODEL. Set a key: `treeline auth set PROVIDER`.':
    '选择：/model PROVIDER/MODEL。设置密钥：`treeline auth set PROVIDER`。',
  'how hard the model thinks: off, low, medium, high …': '模型的思考级别：off、low、medium、high…',
  'Use one of {levels}: /thinking medium.': '可用：{levels}，例如 /thinking medium。',
  'Thinking: {wanted}. {model} knows {known}.': '思考级别：{wanted}。{model} 支持 {known}。',
  'Thinking: {wanted}. {model} knows {known}, so the nearest is used.':
    '思考级别：{wanted}。{model} 支持 {known}，将使用最接近的级别。',
  'what only reads runs, all else is asked about': '只读操作直接运行，其余都先询问',
  'edits inside the project run too': '项目内的修改也直接运行',
  'everything runs unasked': '全部直接运行，不再询问',
  'what tools may do unasked: {modes}': '哪些工具无需询问：{modes}',
  'Use one of {modes}: /mode autoEdit.': '可用：{modes}，例如 /mode autoEdit。',
  'Mode {mode}: {meaning}.': '模式 {mode}：{meaning}。',
  '/mode {mode}: {meaning}': '/mode {mode}：{meaning}',
  'what the model can do here': '模型在这里能用的工具',
  'There are no tools here: the model can only talk.': '这里没有工具：模型只能对话。',
  it: '操作',
  'what for': '用途',
  reads: '读取',
  edits: '修改',
  runs: '运行',
  'What reads runs unasked; /mode says what else does.': '读取类工具无需询问；其余见 /mode。',

  'tokens and cost of this session, all its branches': '本会话所有分支的 token 和费用',
  'not said': '未说明',

  'show the settings, or set one of yours for next time': '查看设置，或修改设置（下次启动生效）',
  setting: '设置项',
  'in force': '当前值',
  from: '来源',
  'the start': '启动时',
  flag: '命令行参数',
  environment: '环境变量',
  project: '项目',
  default: '默认',
  '* by a flag, or set otherwise since the chat was started: /config KEY tells.':
    '* 由命令行参数指定，或启动后设置有改动：/config KEY 查看。',
  'Set one: /config KEY VALUE; unset as VALUE brings the default back.':
    '修改：/config KEY VALUE；VALUE 写 unset 恢复默认。',
  'Yours are in {file}': '你的设置保存在 {file}',
  '{key}: {value} (from: {origin})': '{key}：{value}（来源：{origin}）',
  '{key}: {value} in this chat; from the next start on {next} (from: {origin}).':
    '{key}：本次对话为 {value}；下次启动起为 {next}（来源：{origin}）。',
  'Written. From the next start on {key} is {next}.': '已写入。下次启动起 {key} 为 {next}。',
  'What is yours does not count here: the {origin} comes first.': '你的设置在此不生效：{origin}优先。',
  'For this chat, at once: {command}.': '要在本次对话立即生效：{command}。',
  'There is no setting {key}. /config lists them.': '没有设置项 {key}。/config 列出所有设置项。',
  'not set': '未设置',
  '(hidden)': '（已隐藏）',

  'copy the last answer, the Nth last, or its code': '复制最后一个或倒数第 N 个回答，或其中的代码',
  'Say /copy, /copy 2, /copy code or /copy code 2.': '用法：/copy、/copy 2、/copy code 或 /copy code 2。',
  'Copied: {lines} lines, {characters} characters.': '已复制：{lines} 行，{characters} 个字符。',
  'Sent to the terminal’s clipboard: {lines} lines, {characters} characters.':
    '已发送到终端剪贴板：{lines} 行，{characters} 个字符。',
  'That is too long for the terminal’s clipboard: {characters} characters.':
    '内容过长，终端剪贴板放不下：{characters} 个字符。',
  'With wl-copy, xclip or xsel installed it could be copied.': '安装 wl-copy、xclip 或 xsel 后即可复制。',
  'There is no answer to copy yet.': '还没有可复制的回答。',
  'There are not so many answers here.': '没有那么多回答。',
  'There is no code in the last answer.': '最后一个回答中没有代码。',
  'The last answer has {count} pieces of code.': '最后一个回答中有 {count} 段代码。',

  'check this session and all others for damage': '检查本会话和所有会话是否损坏',
  'Checking all sessions … Esc stops.': '正在检查所有会话… Esc 停止。',
  'This chat keeps nothing (--no-session), so it has no file to check.':
    '这次对话不保存（--no-session），没有可检查的文件。',
  'This session is sound: {entries} can be read, {size}.': '本会话完好：{entries}可读，{size}。',
  'This session is damaged: {entries} can be read, {size}.': '本会话已损坏：{entries}可读，{size}。',
  'With notes: {sessions}.': '有提示：{sessions}。',
  'All of it: `treeline doctor`.': '全部详情：`treeline doctor`。',
  'Sound: {sessions} in {home}.': '完好：{home} 中的 {sessions}。',
  'Damaged: {sessions} in {home}.': '有损坏：{home} 中的 {sessions}。',
  '`treeline repair {id}` writes a sound copy and keeps the original.':
    '`treeline repair {id}` 写出完好的副本，原文件保留。',
}
