import type { Words } from '../../../output/language.ts'

/** The commands that look at the tree and change it. */
export const treeCommandWords: Words = {
  'the whole tree: look around, go on elsewhere': '查看整棵树，从别处继续',
  'say an earlier message again, differently (Esc Esc)': '换个说法重问之前的问题（Esc Esc）',
  'where the branches end, the latest first': '列出各分支的末端，最新的在前',
  'Nothing has been said here yet, so there are no branches. Esc Esc makes one later.':
    '还没有对话，也就没有分支。之后可用 Esc Esc 创建。',
  'Nothing has been said here yet.': '还没有对话。',
  '/go ID goes on at the end of one, /merge ID joins it with this one.':
    '/go ID 从某个分支的末端继续，/merge ID 把它与当前分支合并。',
  nodes: '节点数',
  active: '活动',
  'last message': '最后一条消息',
  '1 older one is not shown: /tree shows all.': '更早的 1 条未显示：/tree 查看全部。',
  '{count} older ones are not shown: /tree shows all.': '更早的 {count} 条未显示：/tree 查看全部。',

  'go on from NODE: an id, a part of one, or a label': '从 NODE 继续：可写 id、其一部分，或标签',
  'Say where to: /go NODE. /branches and /search show ids, /tree shows all.':
    '请写出要去的节点：/go NODE。/branches 和 /search 显示 id，/tree 查看全部。',

  'label the last node or NODE; /label NODE clears it': '给最后的节点或 NODE 加标签；/label NODE 清除',
  'Give a label: /label good idea, or /label NODE good idea.':
    '请写出标签：/label good idea，或 /label NODE good idea。',
  '{node} has no label.': '{node} 没有标签。',
  'Took the label from {node}.': '已移除 {node} 的标签。',
  'Labelled {node} {label}.': '已给 {node} 加标签 {label}。',

  'join branches; HOW is concat, interleave or ask': '合并分支；HOW 可为 concat、interleave 或 ask',
  'Say where the branches end: /merge ID ID. /branches lists them.':
    '请写出各分支的末端：/merge ID ID。/branches 列出分支。',
  'Asking the model to bring them together …': '正在请模型合并…',
  'Merged {count} branches into {node}; it goes on there. /undo takes it back.':
    '已把 {count} 条分支合并到 {node}，从那里继续。/undo 可撤销。',

  'keep the last exchange, or nodes, from the model': '静音最近一轮对话或指定节点（不发送给模型）',
  'Muted {nodes}.': '已静音 {nodes}。',
  'Already muted; nothing was changed.': '已是静音，没有改动。',
  'put the last exchange, or nodes, back': '取消静音最近一轮对话或指定节点',
  'Unmuted {nodes}.': '已取消静音 {nodes}。',
  'Not muted; nothing was changed.': '没有静音，没有改动。',

  'cut off the last exchange, or NODE and below: /stash': '把最近一轮对话或 NODE 及其下剪入 /stash',
  'Give one node: /prune NODE.': '请只写一个节点：/prune NODE。',
  'Cut off {nodes} and put them into the stash: {id}.': '已剪下 {nodes}，放入暂存区：{id}。',
  '/undo takes it back, /graft {id} hangs it in elsewhere.': '/undo 可撤销，/graft {id} 可嫁接到别处。',

  'what was cut off, or one part of it': '查看暂存区，或其中一项',
  'The stash is empty. /prune puts things there, nothing in it is lost.':
    '暂存区是空的。/prune 会把剪下的内容放在那里，不会丢失。',
  id: 'id',
  'cut off': '剪下时间',
  title: '标题',
  'begins with': '开头内容',
  '/stash ID shows one, /graft ID hangs it in here, /graft ID back where it was.':
    '/stash ID 查看一项，/graft ID 嫁接到这里，/graft ID back 放回原处。',
  '{nodes}, cut off {age} below {from}. /graft {id} back puts it there again.':
    '{nodes}，{age}剪下，原在 {from} 之下。/graft {id} back 放回原处。',
  '{named} is not in the stash. /stash lists what is.': '{named} 不在暂存区。/stash 列出其中内容。',
  '1 more is not shown: /tree shows all.': '还有 1 项未显示：/tree 查看全部。',
  '{count} more are not shown: /tree shows all.': '还有 {count} 项未显示：/tree 查看全部。',

  'hang a part of the stash or the tree in elsewhere': '把暂存区或树中的一部分嫁接到别处',
  'It is there already; nothing was changed.': '已经在那里，没有改动。',
  'A copy hangs under {target} now: {id}.': '副本已嫁接到 {target} 之下：{id}。',
  '{id} hangs under {target} now.': '{id} 已嫁接到 {target} 之下。',
  '/go {id} goes on there, /undo takes it back.': '/go {id} 从那里继续，/undo 可撤销。',
  'Say what to hang in: /graft ID. /stash lists what was cut off.':
    '请写出要嫁接的部分：/graft ID。/stash 列出剪下的内容。',
  'Say it as /graft ID under ID, /graft ID back or /graft copy ID.':
    '用法：/graft ID under ID、/graft ID back 或 /graft copy ID。',
  '{id} was not cut off by itself: say where to, /graft {id} under ID.':
    '{id} 不是单独剪下的：请写明位置，/graft {id} under ID。',

  'take back the latest change of the tree': '撤销对树的最近一次改动',
  'do again what /undo took back': '重做 /undo 撤销的改动',
  'Undone: {edit}.': '已撤销：{edit}。',
  'Redone: {edit}.': '已重做：{edit}。',
  'the summary of the beginning': '前面对话的摘要',
  'the summary of a branch': '分支摘要',
  'the merge': '合并',
  'It is so already; nothing was changed.': '已经如此，没有改动。',
}
