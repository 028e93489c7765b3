import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { TreelineError } from '@treeline/core'

export interface TlsFiles {
  /** PEM: the certificate, and those of who signed it behind it. */
  readonly cert: string
  readonly key: string
}

/** What a certificate is good for. */
export interface CertifiedNames {
  /** Names and addresses as they stand in a URL. Those with a `*` are left out: nobody can say which Host that is. */
  readonly names: readonly string[]
  /** Whether a client that asks for this host will accept it. */
  fits(host: string): boolean
}

/** Throws when browsers and programs would get nowhere with it: better now, in words, than at their first request. */
export function readCertificate({ cert, key }: TlsFiles, now: number = Date.now()): CertifiedNames {
  const certificate = parse('certificate', () => new X509Certificate(cert))
  const privateKey = parse('key', () => createPrivateKey(key))
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new TreelineError('bad_request', 'The key is not that of the certificate. Give the two that belong together.')
  }
  if (Date.parse(certificate.validTo) < now) {
    throw new TreelineError('bad_request', `The certificate was good until ${certificate.validTo}. Renew it.`)
  }
  const listed = (certificate.subjectAltName ?? '').split(', ')
  const names = listed.flatMap((one) => {
    const [, dns, address] = /^(?:DNS:([\w.-]+)|IP Address:([\w.:]+))$/.exec(one) ?? []
    return dns ?? address ?? []
  })
  return {
    names: names.map(inUrl),
    fits: (host) => (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined,
  }
}

/** An IPv6 address has brackets in a URL. */
export function inUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host
}

function parse<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const message = `The ${what} cannot be read: it must be PEM, without a passphrase.`
    throw new TreelineError('bad_request', message, {}, { cause: error })
  }
}
