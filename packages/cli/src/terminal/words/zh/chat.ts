import type { Words } from '../../../output/language.ts'

/** The screen of the chat, what it says by itself, and its questions. */
export const chatWords: Words = {
  'waiting: {prompts}': '等待发送：{prompts}',
  'Ask something. /help shows the commands.': '想问什么？/help 查看命令。',
  '{count} waiting': '{count} 条等待中',
  'thinks {level}': '思考 {level}',
  'Ctrl+C again leaves.': '再按一次 Ctrl+C 退出。',

  'Treeline keeps this conversation as a tree.': 'Treeline 把这段对话保存为一棵树。',
  'No model can be asked yet: /model shows which there are.': '还没有可用的模型：/model 查看有哪些。',
  'No key is set, so the built-in demo answers. For real answers: {command} auth set anthropic, or start Ollama.':
    '未设置密钥，由内置演示模型回答。想要真正的回答：运行 {command} auth set anthropic，或启动 Ollama。',
  '{model} answers.': '由 {model} 回答。',
  'Esc Esc goes back to an earlier prompt, /tree shows all, /help the rest.':
    'Esc Esc 回到之前的提问，/tree 查看整棵树，/help 查看其他命令。',
  'Type something and press Enter. Esc stops an answer.': '输入内容后按 Enter 发送。Esc 停止回答。',
  'Esc Esc goes back to an earlier prompt: say it differently, and both ways are kept. /tree shows them, /help the rest.':
    'Esc Esc 回到之前的提问：换个说法再问，两条分支都会保留。/tree 查看整棵树，/help 查看其他命令。',
  'Nothing of this chat is kept.': '这次对话不会保存任何内容。',
  'All of it is kept in {home}: {command} -c goes on with it.': '全部内容保存在 {home}：{command} -c 接着聊。',
  Kept: '已保存',
  'Kept: “{name}”': '已保存：“{name}”',
  '{count} tokens': '{count} token',
  'Go on: {command}': '继续：{command}',

  thinking: '思考中',
  working: '处理中',
  '(Esc cancels)': '（Esc 取消）',
  '{seconds} s': '{seconds} 秒',
  '{minutes} min {seconds} s': '{minutes} 分 {seconds} 秒',
  'about {tokens} tokens': '约 {tokens} token',
  'thought:': '思考：',
  'thought (Ctrl+O shows it): {beginning}': '思考（Ctrl+O 展开）：{beginning}',
  'muted, the model does not get it:': '已静音，不发送给模型：',
  'muted (Ctrl+O shows it): {beginning}': '已静音（Ctrl+O 展开）：{beginning}',
  'Summary: the model gets this instead of what it sums up': '摘要：模型看到的是它，而不是被压缩的内容',
  '+ {count} more lines, kept in the session: treeline show has them':
    '+ 还有 {count} 行，保存在会话中：用 treeline show 查看',
  '+ 1 more line (Ctrl+O shows all)': '+ 还有 1 行（Ctrl+O 全部展开）',
  '+ {count} more lines (Ctrl+O shows all)': '+ 还有 {count} 行（Ctrl+O 全部展开）',
  '{count} earlier messages: /tree shows all.': '之前还有 {count} 条消息：/tree 查看全部。',
  'What was said before stands above.': '更早的内容在上方。',
  'Cancelled.': '已取消。',
  'It failed.': '失败了。',
  '[Image]': '[图片]',
  '{message} Trying again in {seconds} s.': '{message} {seconds} 秒后重试。',
  'The conversation is long: summing up its beginning …': '对话较长：正在压缩前面的内容…',
  '{count} messages are summed up now. /undo takes that back.': '已压缩 {count} 条消息。/undo 可撤销。',

  'May this run? {title}': '允许运行吗？{title}',
  'It is outside of this project.': '它在本项目之外。',
  'rows {from}–{to} of {all}: {keys} PageDown show the rest':
    '第 {from}–{to} 行，共 {all} 行：{keys} PageDown 查看其余',
  yes: '允许',
  'this tool from now on': '此后允许该工具',
  'all edits from now on': '此后允许所有修改',
  no: '拒绝',
  cancel: '取消',
  'A letter or Enter answers, Esc goes back.': '按字母键或 Enter 选择，Esc 返回。',
  'Enter is enough, Esc goes back.': 'Enter 确定，Esc 返回。',

  'This leaves {messages} behind. Sum them up for the model?': '将离开 {messages}。要为模型生成摘要吗？',
  'no summary': '不要摘要',
  'summary with instructions': '按说明生成摘要',
  'What should the summary see to?': '摘要应侧重什么？',
  'The model is at work. Esc closes the tree, and once more cancels.': '模型正在运行。Esc 关闭树，再按一次取消。',
  'The model is at work. Cancel it first, or wait for it.': '模型正在运行。请先取消，或等它结束。',
  'Say what to run: !ls, or !!ls to keep it from the model.': '请写出要运行的命令：!ls；若不发给模型，用 !!ls。',
  'summing up the branch': '正在为分支生成摘要',
  '{reason} You are where you were.': '{reason} 仍在原来的位置。',
  'What was tried there is summed up above.': '那条分支的摘要见上方。',
  'Back at an earlier place. What came after it is kept: /tree shows it.':
    '已回到之前的位置。之后的内容仍然保留：/tree 查看。',
  'Gone on to a later place.': '已前往之后的位置。',
  'On another branch now. The one before is kept: /tree shows it.':
    '已切换到另一条分支。原来的分支仍然保留：/tree 查看。',

  'another terminal': '另一个终端',
  'Another terminal is at work in this session right now. What it says appears here.':
    '另一个终端正在使用这个会话，它的内容会显示在这里。',
  'Something else rewrote this session. This is how it is now.': '这个会话被其他程序改写，现在的内容如下。',
  'It is a branch of its own: /tree goes there.': '这是一条单独的分支：/tree 可以前往。',
  'This session is not there any more: something else deleted or moved it. /new begins another.':
    '这个会话已不存在：被其他程序删除或移走。/new 新建会话。',
  'What others do in this session is not seen any more: {message}': '无法继续显示其他终端在此会话中的动作：{message}',
  'Another terminal still waits for the answer above. Wait for it, or Esc Esc goes back before it.':
    '另一个终端还在等待上面的回答。请等它完成，或用 Esc Esc 回到它之前。',

  'looking …': '查找中…',
  'What was written is too long for a prompt.': '内容过长，不能作为提问。',
  '{editor} ended with {end}. The text is as it was.': '{editor} 以 {end} 退出。文本保持不变。',
  '{editor} was not found. Set EDITOR to an editor you have.': '找不到 {editor}。请把 EDITOR 设为已安装的编辑器。',
  'The clipboard is empty.': '剪贴板是空的。',
  'What is in the clipboard is too large.': '剪贴板内容太大。',
  'To paste from the clipboard, install {tool}.': '要从剪贴板粘贴，请安装 {tool}。',
  'There is no clipboard here. Paste with your terminal’s own key.': '这里没有剪贴板。请用终端自己的粘贴键。',
  'No more than {count} files go with a prompt: {path} and what follows were left out.':
    '一次提问最多附带 {count} 个文件：{path} 及其后的文件未附带。',
  '+ {path} (image)': '+ {path}（图片）',
  '+ {path} (1 name)': '+ {path}（1 项）',
  '+ {path} ({count} names)': '+ {path}（{count} 项）',
  '+ {path} (the first {count} lines)': '+ {path}（前 {count} 行）',
  '+ {path} (1 line)': '+ {path}（1 行）',
  '+ {path} ({count} lines)': '+ {path}（{count} 行）',

  'sends; Shift+Enter, Alt+Enter or Ctrl+J begins a line': '发送；Shift+Enter、Alt+Enter 或 Ctrl+J 换行',
  'cancels what runs; closes a menu or a list': '取消正在运行的操作；关闭菜单或列表',
  'goes back to an earlier prompt': '回到之前的提问',
  'cancels, empties the editor, and leaves when pressed twice': '取消，清空输入框，连按两次退出',
  'leaves when the editor is empty': '输入框为空时退出',
  'earlier and later prompts; move in a menu': '更早和更晚的提问；在菜单中移动',
  'takes what the menu offers: /commands, their arguments, @files': '采用菜单中的建议：/命令、命令参数、@文件',
  'names a file or folder that goes with the prompt': '附带一个文件或文件夹',
  'searches earlier prompts': '搜索历史提问',
  'writes in your own editor ($VISUAL, $EDITOR); Ctrl+X Ctrl+E, too':
    '用自己的编辑器书写（$VISUAL、$EDITOR）；Ctrl+X Ctrl+E 也可以',
  'pastes an image or text from the clipboard': '粘贴剪贴板中的图片或文本',
  'the tree': '对话树',
  'stops the chat; fg in the shell goes on with it': '挂起对话；在 shell 中用 fg 继续',
  'unfolds thoughts and output of tools': '展开思考和工具输出',
}
