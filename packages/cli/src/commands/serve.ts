import { defineCommand } from '../args/command.ts'
import { findFolder } from '../chatting/find-folder.ts'
import { DEFAULT_PORT, readListening } from '../serving/listening.ts'
import { LEVELS, logTo } from '../serving/log-lines.ts'

export const command = defineCommand({
  positionals: [],
  options: {
    port: {
      type: 'string',
      value: 'N',
      help: `where to listen (${DEFAULT_PORT}, or the next that is free); 0 for any`,
    },
    open: { type: 'boolean', help: 'open the link in your browser' },
    host: { type: 'string', value: 'ADDR', help: 'listen at this address; 127.0.0.1 by default, others need TLS' },
    'tls-cert': { type: 'string', value: 'FILE', help: 'the certificate, as PEM, with its chain' },
    'tls-key': { type: 'string', value: 'FILE', help: 'its key, as PEM' },
    'behind-proxy': { type: 'string', value: 'URL', help: 'https://NAME of the proxy in front, which does TLS' },
    tools: { type: 'boolean', help: 'models may change files and run commands here, each time you approve' },
    model: { type: 'string', short: 'm', value: 'MODEL', help: 'provider/model; treeline models lists them' },
    cwd: { type: 'string', value: 'DIR', help: 'the project for tools; the current folder by default' },
    sample: { type: 'boolean', help: 'where there is no session yet, begin with a sample conversation' },
    check: { type: 'boolean', help: 'start, try the door once, and leave' },
    log: {
      type: 'string',
      value: 'LEVEL',
      choices: LEVELS,
      help: 'what happens, as lines of JSON on the error stream',
    },
    verbose: { type: 'boolean', short: 'v', help: 'the same as --log info' },
  },
  details:
    'Serves all sessions of the home over HTTP and WebSocket (docs/server.md), to this machine alone unless told otherwise. ' +
    'It prints a link with a code that lets one browser in, once; Enter prints a new one. Programs send a token: treeline ' +
    'token create NAME. Ctrl+C lets answers on their way end, a second one does not.',
  examples: [
    ['treeline serve', 'serve this home, on this machine'],
    ['treeline serve --open', 'and open it in the browser'],
    ['treeline serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem', 'to the network, over TLS'],
    ['treeline serve --behind-proxy https://notes.example', 'with a proxy in front'],
    ['treeline serve --json --log info 2>> serve.log', 'for programs, with a log'],
  ],
  json:
    '{"url","port","loginUrl","pid","home","model","isDemo","sampleId"|null}, on one line, when it is ready; with --check ' +
    '{"isSound","failed":[]} instead',
  async run({ options, context }) {
    const listening = readListening(options, context.cwd)
    const level = LEVELS.find((known) => known === options.log) ?? (options.verbose ? 'info' : undefined)
    // Loaded here, because help and completion load this file too.
    const { startServing } = await import('../serving/start-serving.ts')
    return startServing(context, {
      listening,
      log: logTo(context.out, level),
      cwd: findFolder(context, options.cwd),
      model: options.model,
      hasTools: options.tools === true,
      hasSample: options.sample === true,
      isChecked: options.check === true,
      opensBrowser: options.open === true,
    })
  },
})
