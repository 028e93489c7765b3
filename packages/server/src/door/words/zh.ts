/** Simplified Chinese, by the English text. */
export const zh: Readonly<Record<string, string>> = {
  'Not logged in': '尚未登录',
  'Open the link that stands in the terminal in which you started Treeline, with <code>npm start</code> or <code>treeline serve</code>. Each link lets one browser in, once.':
    '请打开终端里的链接，也就是你用 <code>npm start</code> 或 <code>treeline serve</code> 启动 Treeline 的那个终端。每个链接只能让一个浏览器登录一次。',
  'For a new link press <kbd>Enter</kbd> in the terminal in which Treeline runs. A program that has a token of the scope admin gets one with <code>POST /login/code</code>.':
    '要获取新的链接，请在运行 Treeline 的终端里按 <kbd>Enter</kbd>。持有 admin 权限令牌的程序可以用 <code>POST /login/code</code> 获取。',
  'You have just logged in? <a href="/">Go on to Treeline.</a>': '刚刚登录过？<a href="/">继续前往 Treeline。</a>',

  'This link does not count': '此链接无效',
  'A login link counts once, for ten minutes, and as long as the server runs that printed it.':
    '登录链接只能使用一次，十分钟内有效，而且显示它的服务器必须仍在运行。',

  'Log in to Treeline': '登录 Treeline',
  'This browser will be logged in to your Treeline for thirty days.': '此浏览器将登录到你的 Treeline，三十天内有效。',
  'Log in': '登录',

  'The server runs, and you are logged in.': '服务器正在运行，你已登录。',
  '<a href="/api/chat/docs">The API, to read</a> (<a href="/api/chat/openapi.json">OpenAPI 3.1</a>)':
    '<a href="/api/chat/docs">API 文档</a>（<a href="/api/chat/openapi.json">OpenAPI 3.1</a>）',
  '<a href="/api/chat/sessions">Your sessions</a>, as JSON': '<a href="/api/chat/sessions">你的会话</a>（JSON）',
  '<a href="/metrics">Metrics</a>, for Prometheus': '<a href="/metrics">指标</a>（Prometheus）',
  '<code>treeline serve --help</code> and <code>docs/server.md</code> say the rest.':
    '其余说明见 <code>treeline serve --help</code> 和 <code>docs/server.md</code>。',
}
