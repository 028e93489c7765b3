/** A program that takes what is to be copied from its standard input. */
export interface ClipboardTool {
  readonly file: string
  readonly args: readonly string[]
  /** UTF-8 everywhere but on Windows. */
  readonly encoding?: 'utf16le'
}

const CLIP_EXE: ClipboardTool = { file: 'clip.exe', args: [], encoding: 'utf16le' }

/** As it is usually set up tmux passes nothing on; asked itself, it keeps the text and tells the terminal around it. */
const TMUX: ClipboardTool = { file: 'tmux', args: ['load-buffer', '-w', '-'] }

/** Those that may be there, the best first. */
export function clipboardTools(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): readonly ClipboardTool[] {
  if (platform === 'darwin') return [{ file: 'pbcopy', args: [] }]
  if (platform === 'win32') return [CLIP_EXE]
  const tools: ClipboardTool[] = []
  if (env.WAYLAND_DISPLAY) tools.push({ file: 'wl-copy', args: [] })
  if (env.DISPLAY) {
    tools.push({ file: 'xclip', args: ['-selection', 'clipboard'] }, { file: 'xsel', args: ['--clipboard', '--input'] })
  }
  if (env.WSL_DISTRO_NAME) tools.push(CLIP_EXE)
  if (env.TMUX) tools.push(TMUX)
  return tools
}
