import { generateKeyPairSync, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

const OID = { ecdsaWithSha256: '2a8648ce3d040302', commonName: '550403', subjectAltName: '551d11' }
const DAY_MS = 86_400_000

/** A certificate that signs itself and its key, as PEM, for these names and IPv4 addresses. Node can read such, not make them. */
export function makeSelfSigned(
  names: readonly string[],
  untilMs: number = Date.now() + DAY_MS,
): { readonly cert: string; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = seq(der(0x06, hex(OID.ecdsaWithSha256)))
  const name = seq(der(0x31, seq(der(0x06, hex(OID.commonName)), der(0x0c, Buffer.from('treeline test')))))
  const validity = seq(der(0x17, utcTime(untilMs - 2 * DAY_MS)), der(0x17, utcTime(untilMs)))
  const alternatives = names.map((one) =>
    isIPv4(one) ? der(0x87, Buffer.from(one.split('.').map(Number))) : der(0x82, Buffer.from(one)),
  )
  const extension = seq(der(0x06, hex(OID.subjectAltName)), der(0x04, seq(...alternatives)))
  const signed = seq(
    der(0xa0, der(0x02, hex('02'))),
    der(0x02, hex('01')),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, seq(extension)),
  )
  const certificate = seq(signed, algorithm, der(0x03, hex('00'), sign('sha256', signed, privateKey)))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return {
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  }
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), content])
}

function seq(...parts: readonly Uint8Array[]): Buffer {
  return der(0x30, ...parts)
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex')
}

function utcTime(ms: number): Buffer {
  return Buffer.from(`${new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)}Z`)
}
