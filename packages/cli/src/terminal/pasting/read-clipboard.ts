import { runTool, type ToolAnswer } from './run-tool.ts'

export type Clipboard =
  | { readonly type: 'image'; readonly bytes: Buffer }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'empty' }
  | { readonly type: 'tooLarge' }
  /** What would have to be installed. */
  | { readonly type: 'missing'; readonly tool: string }
  /** There is no clipboard: over ssh, or on a bare console. */
  | { readonly type: 'none' }

type Env = Readonly<Record<string, string | undefined>>

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']
/** As base64, because PowerShell does not pipe bytes. */
const POWERSHELL = `$ErrorActionPreference = 'Stop'
Add-Type -AssemblyName System.Windows.Forms, System.Drawing
$image = [System.Windows.Forms.Clipboard]::GetImage()
if ($image -eq $null) { exit 1 }
$stream = New-Object System.IO.MemoryStream
$image.Save($stream, [System.Drawing.Imaging.ImageFormat]::Png)
[Console]::Out.Write([Convert]::ToBase64String($stream.ToArray()))`
const PNG_OF_APPLE = 'the clipboard as «class PNGf»'

/** What was copied last, through the program that this kind of desktop has for it. An image before its text. */
export function readClipboard(env: Env, platform: NodeJS.Platform = process.platform): Promise<Clipboard> {
  if (platform === 'darwin') return readApple(env)
  if (platform === 'win32') return readWindows(env)
  if (env.WAYLAND_DISPLAY) return readTyped(env, WAYLAND)
  if (env.DISPLAY) return readTyped(env, X11)
  return env.WSL_DISTRO_NAME ? readWindows(env) : Promise.resolve({ type: 'none' })
}

/** Desktops where a clipboard says in which types it can be had. */
interface TypedClipboard {
  readonly tool: string
  readonly file: string
  readonly types: readonly string[]
  readonly ofType: (type: string) => readonly string[]
  readonly text: readonly string[]
}

const WAYLAND: TypedClipboard = {
  tool: 'wl-clipboard',
  file: 'wl-paste',
  types: ['--list-types'],
  ofType: (type) => ['--no-newline', '--type', type],
  text: ['--no-newline', '--type', 'text'],
}
const X11: TypedClipboard = {
  tool: 'xclip',
  file: 'xclip',
  types: ['-selection', 'clipboard', '-target', 'TARGETS', '-out'],
  ofType: (type) => ['-selection', 'clipboard', '-target', type, '-out'],
  text: ['-selection', 'clipboard', '-out'],
}

async function readTyped(env: Env, { tool, file, types, ofType, text }: TypedClipboard): Promise<Clipboard> {
  const listed = await runTool(file, types, env)
  if (listed.type === 'missing') return { type: 'missing', tool }
  if (listed.type !== 'bytes') return { type: 'empty' }
  const known = listed.bytes.toString().split(/\s+/)
  const type = IMAGE_TYPES.find((wanted) => known.includes(wanted))
  return type === undefined ? toText(await runTool(file, text, env)) : toImage(await runTool(file, ofType(type), env))
}

async function readApple(env: Env): Promise<Clipboard> {
  const pasted = toImage(await runTool('pngpaste', ['-'], env))
  if (pasted.type !== 'empty') return pasted
  const asked = await runTool('osascript', ['-e', PNG_OF_APPLE], env)
  const hex = asked.type === 'bytes' ? /«data PNGf([0-9A-F]+)»/i.exec(asked.bytes.toString())?.[1] : undefined
  if (hex !== undefined) return { type: 'image', bytes: Buffer.from(hex, 'hex') }
  return toText(await runTool('pbpaste', [], env))
}

async function readWindows(env: Env): Promise<Clipboard> {
  const words = ['-NoProfile', '-NonInteractive', '-STA', '-Command']
  const asked = await runTool('powershell.exe', [...words, POWERSHELL], env)
  if (asked.type === 'missing') return { type: 'missing', tool: 'powershell.exe' }
  if (asked.type === 'tooLarge') return asked
  if (asked.type === 'bytes') return { type: 'image', bytes: Buffer.from(asked.bytes.toString(), 'base64') }
  return toText(await runTool('powershell.exe', [...words, 'Get-Clipboard -Raw'], env))
}

function toImage(answer: ToolAnswer): Clipboard {
  if (answer.type === 'tooLarge') return answer
  return answer.type === 'bytes' && answer.bytes.length > 0 ? { type: 'image', bytes: answer.bytes } : { type: 'empty' }
}

function toText(answer: ToolAnswer): Clipboard {
  if (answer.type === 'tooLarge') return answer
  const text = answer.type === 'bytes' ? answer.bytes.toString() : ''
  return text === '' ? { type: 'empty' } : { type: 'text', text }
}
