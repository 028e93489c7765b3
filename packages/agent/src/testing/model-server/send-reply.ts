import type { ServerResponse } from 'node:http'
import { anthropic } from './anthropic.ts'
import { google } from './google.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import { refusal, streamError, wrongPage } from './refusals.ts'
import type { Fault, Frame, ModelReply, WireFormat, WireRequest } from './reply.ts'

type Render = (reply: ModelReply, request: WireRequest) => Iterable<Frame>

const RENDER: Readonly<Record<WireFormat, Render>> = {
  'openai-responses': openaiResponses,
  'openai-chat': openaiChat,
  anthropic,
  google,
}

/** Stands in the text for the bytes that are no UTF-8. */
const BAD = '\ue000'
const BAD_BYTES = Buffer.from([0xff, 0xfe, 0xc3, 0x28])

/** Answers a request in its own dialect, with the fault if there is one. */
export async function sendReply(
  response: ServerResponse,
  format: WireFormat,
  reply: ModelReply,
  request: WireRequest,
): Promise<void> {
  const { fault } = reply
  if (fault === undefined) return stream(response, format, reply, request)
  switch (fault.type) {
    case 'silent':
      return
    case 'wrong_type':
      response.writeHead(200, { 'content-type': 'text/html' }).end(wrongPage)
      return
    case 'slow':
    case 'cut':
    case 'no_finish':
    case 'malformed_json':
    case 'bad_utf8':
    case 'stream_error':
      return stream(response, format, reply, request)
    default: {
      const { status, type, body } = refusal(format, fault.type)
      response.writeHead(status, { 'content-type': type, ...fault.headers }).end(body)
    }
  }
}

async function stream(
  response: ServerResponse,
  format: WireFormat,
  reply: ModelReply,
  request: WireRequest,
): Promise<void> {
  const { fault } = reply
  const said = fault?.type === 'bad_utf8' ? { ...reply, text: `${reply.text ?? ''}${BAD}` } : reply
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  let sent = 0
  for (const { kind, data } of RENDER[format](said, request)) {
    if (response.destroyed) return
    if (kind === 'delta' && sent === faultAt(fault)) {
      if (fault?.type === 'cut') {
        response.destroy()
        return
      }
      if (fault?.type === 'malformed_json') await write(response, 'data: {"type":"half of\n\n')
      if (fault?.type === 'stream_error') {
        await write(response, streamError(format))
        break
      }
    }
    if (kind === 'delta' && fault?.type === 'slow') await fault.gate(sent)
    if (kind === 'finish' && fault?.type === 'no_finish') break
    await write(response, data)
    if (kind === 'delta') sent++
  }
  response.end()
}

/** Before which piece the fault happens. */
function faultAt(fault: Fault | undefined): number | undefined {
  return fault !== undefined && 'after' in fault && fault.after !== undefined ? fault.after : 1
}

/** Resolves when the bytes are on their way, so that what is cut off later was received before. */
function write(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => response.write(bytesOf(text), () => resolve()))
}

function bytesOf(text: string): Buffer {
  const bytes = Buffer.from(text)
  const at = bytes.indexOf(BAD)
  if (at < 0) return bytes
  return Buffer.concat([bytes.subarray(0, at), BAD_BYTES, bytes.subarray(at + Buffer.byteLength(BAD))])
}
