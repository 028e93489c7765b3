import { expect, test } from 'vitest'
import { widthOf } from '../output/table.ts'
import { inEditor, project } from '../testing/chat-terminal.ts'
import { tempFolder } from '../testing/run-treeline.ts'
import { openTerminal, type Terminal, type TerminalOptions } from '../testing/terminal.ts'
import { zh } from './words/zh.ts'

const CHINESE = { LANG: 'zh_CN.UTF-8', TREELINE_DEMO_DELAY_MS: '0' }

/** What stands in none of the texts: at least three English words of each, as they are in the code. */
const ENGLISH = Object.keys(zh)
  .flatMap((text) => text.split(/\{\w+\}/).map((piece) => piece.trim()))
  .filter((piece) => /[a-z]+ [a-z]+ [a-z]+/i.test(piece))

async function openChinese(options: TerminalOptions = {}): Promise<Terminal> {
  const terminal = await openTerminal([], { ...options, env: { ...CHINESE, ...options.env } })
  await terminal.waitFor(() => terminal.output.includes('\u001b[?2004h'))
  await terminal.waitFor((screen) => isIdle(screen) && screen.some((row) => row.startsWith('demo/demo')))
  return terminal
}

function isIdle(screen: readonly string[]): boolean {
  return screen.some((row) => row.startsWith('❯ 想问什么？')) && !screen.join('').includes('（Esc 取消）')
}

async function say(terminal: Terminal, text: string): Promise<void> {
  await terminal.type(text)
  await terminal.waitFor((screen) => inEditor(screen).includes(text))
  await terminal.press('enter')
}

/** Everything that was shown, without breaks: Chinese may break anywhere. */
function shown(terminal: Terminal): string {
  return [...terminal.scrollback(), ...terminal.screen()].join('').replace(/\s+/g, '')
}

function lookForEnglish(terminal: Terminal): void {
  const text = shown(terminal)
  expect(ENGLISH.filter((piece) => text.includes(piece.replace(/\s+/g, '')))).toEqual([])
}

/** Through the places that a new user sees, looking for English at each. */
async function walk(terminal: Terminal): Promise<void> {
  lookForEnglish(terminal)
  expect(shown(terminal)).toContain('Treeline把这段对话保存为一棵树。')
  await say(terminal, '你好')
  await terminal.waitFor(/^I am Treeline's demo/m)
  await terminal.waitFor(isIdle)
  await say(terminal, '/help')
  await terminal.waitFor(/!!command/)
  await terminal.waitFor(isIdle)
  lookForEnglish(terminal)
  await say(terminal, 'run "date"')
  await terminal.waitFor(/允许运行吗？bash/)
  expect(shown(terminal)).toContain('y允许t此后允许该工具e此后允许所有修改n拒绝Esc取消')
  lookForEnglish(terminal)
  await terminal.press('n')
  await terminal.waitFor(isIdle)
  await say(terminal, '/tree')
  await terminal.waitFor(/对话树 · 第 \d+ 行，共 \d+ 行/)
  lookForEnglish(terminal)
  await terminal.press('esc')
  await terminal.waitFor(isIdle)
  await terminal.press('esc', 'esc')
  await terminal.waitFor(/分支 · 当前分支 · 第 1 条，共 2 条/)
  await terminal.waitFor(/刚刚 +你好/)
  lookForEnglish(terminal)
  await terminal.press('esc')
  await terminal.waitFor(isIdle)
  await say(terminal, '/resume')
  await terminal.waitFor(/会话 · 当前文件夹 · 最近活动在前.*\n› 刚刚 +你好/)
  lookForEnglish(terminal)
  await terminal.press('esc')
  await terminal.waitFor(isIdle)
}

test('in a Chinese locale all that we say is Chinese, and stands in columns', async () => {
  const terminal = await openChinese()
  const [first] = terminal.screen()
  expect(first).toBe('Treeline 把这段对话保存为一棵树。')
  await walk(terminal)
  await say(terminal, '/keys')
  const keys = await terminal.waitFor(/Ctrl\+O +展开思考和工具输出/)
  const from = keys.findIndex((row) => row.startsWith('按键'))
  const starts = keys.slice(from, from + 14).map((row) => widthOf(/^\S+(?: \S+)* {2,}/.exec(row)?.[0] ?? ''))
  expect(new Set(starts)).toEqual(new Set([widthOf('Up, Down  ')]))
  await terminal.waitFor(isIdle)
  await say(terminal, '/tree')
  // What a node says comes a moment after its row.
  const nodesOf = (screen: readonly string[]) => screen.filter((row) => /^[› ] ● /.test(row))
  const isRead = (row: string) => /^[› ] ● \S+ +\S/.test(row)
  const tree = await terminal.waitFor((screen) => nodesOf(screen).length > 3 && nodesOf(screen).every(isRead))
  for (const row of nodesOf(tree)) expect(widthOf(/^[› ] ● (?:用户|助手|工具结果) +/.exec(row)?.[0] ?? '')).toBe(15)
  const hints = tree.findIndex((row) => row.startsWith('↑↓'))
  expect(tree.slice(hints, hints + 3)).toEqual([
    '↑↓ 移动 · Enter 选择 · Esc 关闭 · ←→ 折叠 · 输入即搜索',
    'Ctrl: T 不含工具 · U 仅用户 · L 有标签 · O 全部',
    'Alt: M 静音 · P 剪下 · G 嫁接 · U 撤销 · R 重做 · L 标签 · C 复制',
  ])
  await terminal.type('助手')
  await terminal.waitFor(/搜索：助手 · 第 \d 个结果，共 2 个/)
  await terminal.press('esc', 'esc')
  await terminal.waitFor(isIdle)
  await say(terminal, '/quit')
  await terminal.exit()
  expect(shown(terminal)).toMatch(/已保存：.*继续：treeline-r/)
  lookForEnglish(terminal)
})

test('in 40 columns nothing of it is lost', async () => {
  const terminal = await openChinese({ columns: 40, rows: 30 })
  await walk(terminal)
  const text = shown(terminal)
  for (const help of ['查看设置，或修改设置（下次启动生效）', '静音最近一轮对话或指定节点（不发送给模型）']) {
    expect(text).toContain(help)
  }
})

test('without UTF-8, and in a locale of traditional characters, the chat is English', async () => {
  for (const LANG of ['zh_CN.GB18030', 'zh_TW.UTF-8']) {
    const terminal = await project().open([], { env: { LANG } })
    await terminal.waitFor('Treeline keeps this conversation as a tree.')
    await terminal.kill()
  }
})

test('commands without a chat stay English', async () => {
  const cwd = tempFolder()
  const terminal = await openTerminal(['ls'], { cwd, env: CHINESE })
  await terminal.exit()
  expect(terminal.screen().join('\n')).toMatch(/session/)
  expect(terminal.screen().join('\n')).not.toMatch(/\p{sc=Han}/u)
})
