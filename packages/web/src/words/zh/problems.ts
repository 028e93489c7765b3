export const problems: Readonly<Record<string, string>> = {
  'The server cannot be reached. It may have been stopped; what you wrote is kept here.':
    '无法连接服务器，它可能已停止；你写的内容保留在这里。',
  'The server does not take this.': '服务器不接受此操作。',
  'You are not let in. Take a new link from the terminal in which Treeline runs.':
    '尚未登录。请从运行 Treeline 的终端获取新的链接。',
  'This is not allowed here.': '这里不允许此操作。',
  'This is a plain chat. Go back to the tree to do this.': '这是普通对话，请先返回树模式。',
  'There is no such conversation any more, or the address is wrong.': '该对话已不存在，或者地址有误。',
  'This message is not here any more: it may have been deleted meanwhile.': '这条消息已不在这里，可能刚被删除。',
  'This answer is done already.': '该回答已经完成。',
  'This is not in the stash any more.': '暂存区里已没有这一项。',
  'This question was answered already.': '该请求已有答复。',
  'The file that belongs here is missing.': '这里的文件缺失。',
  'There is no such token.': '没有这个令牌。',
  'This was changed meanwhile. Look at it again, then decide.': '这里刚被更改过，请重新查看后再决定。',
  'There is nothing of yours left to undo or redo.': '没有可撤销或重做的操作。',
  'The name is taken.': '名称已被占用。',
  'This message is in the stash by now. Put it back before you go on from it.':
    '这条消息已在暂存区，请先放回再从它继续。',
  'This answer is still being written. Wait until it is done, or go on from an earlier message.':
    '该回答仍在生成。请等待完成，或从更早的消息继续。',
  'An answer is still being written below this. Wait until it is done, or stop it.':
    '下面还有回答正在生成。请等待完成，或先停止它。',
  'This conversation cannot be written to. Run `treeline doctor` to repair it.':
    '无法写入该对话。请运行 `treeline doctor` 进行修复。',
  'The list has changed meanwhile. Open it again.': '列表刚有变化，请重新打开。',
  'This is too large.': '内容太大。',
  'A branch cannot be put under itself.': '分支不能放到自己下面。',
  'What branches cannot be put in between. Graft it under the message.': '带分支的内容不能插入中间，请嫁接到消息之下。',
  'This does not look like a conversation that can be read.': '这不像是可以读取的对话。',
  'The line is too long for this model. Mute what is not needed, compact it, or choose one with more room.':
    '上下文超出了该模型的容量。请静音不需要的内容、压缩上下文，或选择容量更大的模型。',
  'No model takes messages in this order.': '模型不接受这样的消息顺序。',
  'Too many answers are being written. Stop one of them, or wait until one is done.':
    '同时生成的回答太多。请停止一个，或等待其中一个完成。',
  'That was too much at once. Wait a moment, then try again.': '请求过于频繁，请稍等片刻再试。',
  'The file of this conversation is damaged. Run `treeline doctor` to see what can be read.':
    '该对话的文件已损坏。请运行 `treeline doctor` 查看可读取的内容。',
  'Something went wrong in the server. Try again.': '服务器出错，请重试。',
  'The model could not be asked, or did not answer.': '无法请求模型，或模型没有回答。',
  'The disk is full. Free some room, then try again.': '磁盘已满，请释放一些空间后再试。',
}
