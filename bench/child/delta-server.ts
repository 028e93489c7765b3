// A model server that sends `deltaEvents` as fast as the socket takes them: `node delta-server.ts <count>`. Prints its
// address, and ends with whoever started it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { deltaEvents } from '../inputs/deltas.ts'

/** Starts it in a process of its own, so that its work is not counted. Gives its base URL. */
export async function startDeltaServer(count: number): Promise<string> {
  const child = spawn(process.execPath, [import.meta.filename, String(count)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [url] = await once(createInterface({ input: child.stdout }), 'line')
  return url
}

async function serve(count: number): Promise<void> {
  const body = Buffer.from(deltaEvents(count))
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1\n`)
  process.stdin.resume().once('end', () => process.exit(0))
}

if (import.meta.main) await serve(Number(process.argv[2]))
