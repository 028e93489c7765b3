interface NetworkTrouble {
  readonly message: string
  readonly isRetryable: boolean
}

const REFUSED = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN']
const UNKNOWN_HOST = ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA']
const BROKEN = [
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'ERR_STREAM_PREMATURE_CLOSE',
]
const SLOW = ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']

/** What an error code of the network means to the user; `undefined` for what is none. */
export function explainNetwork(code: string | undefined, url: string | undefined): NetworkTrouble | undefined {
  if (code === undefined) return undefined
  const where = url === undefined ? 'its address' : (URL.parse(url)?.origin ?? url)
  if (REFUSED.includes(code)) return trouble(`nothing answers at ${where}; is it running?`)
  if (UNKNOWN_HOST.includes(code)) return trouble(`${where} cannot be found; is there a network?`)
  if (BROKEN.includes(code)) return trouble(`the connection to ${where} broke.`)
  if (SLOW.includes(code)) return trouble(`${where} did not answer in time.`)
  if (/^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code)) {
    return { message: `${where} cannot be trusted (${code}).`, isRetryable: false }
  }
  return undefined
}

function trouble(message: string): NetworkTrouble {
  return { message, isRetryable: true }
}
