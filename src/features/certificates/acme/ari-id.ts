/** The name of a certificate in renewal information (RFC 9773 §4.1). */
import { X509Certificate } from 'node:crypto'

/** Content octets of the object identifier 2.5.29.35, authorityKeyIdentifier (RFC 5280 §4.2.1.1). */
const AUTHORITY_KEY_IDENTIFIER = '551d23'
const TAG = { oid: 0x06, octet_string: 0x04, key_identifier: 0x80, extensions: 0xa3 } as const

/**
 * Base64url of the authority's key identifier, a dot, base64url of the serial number's octets. Of the first certificate
 * in a PEM text; null where it does not name its authority's key or cannot be read.
 */
export function ariId(pem: string): string | null {
  try {
    const { raw, serialNumber } = new X509Certificate(pem)
    const key = keyIdentifier(raw)
    const serial = integerOctets(serialNumber)
    return key && serial ? `${key.toString('base64url')}.${serial.toString('base64url')}` : null
  } catch {
    return null
  }
}

/** As it is encoded: with a zero before it where it would be read as negative. */
function integerOctets(hex: string): Buffer | null {
  if (!/^[0-9A-F]+$/.test(hex)) return null
  const octets = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return octets[0]! < 0x80 ? octets : Buffer.concat([Buffer.from([0]), octets])
}

function keyIdentifier(certificate: Buffer): Buffer | null {
  const to_be_signed = first(first(certificate))
  const list = itemsIn(to_be_signed).find(({ tag }) => tag === TAG.extensions)?.content
  for (const { content } of itemsIn(first(list))) {
    const parts = itemsIn(content)
    if (parts[0]?.tag !== TAG.oid || parts[0].content.toString('hex') !== AUTHORITY_KEY_IDENTIFIER) continue
    // Between type and value there may be the mark of a critical extension.
    const value = parts.find(({ tag }) => tag === TAG.octet_string)?.content
    return itemsIn(first(value)).find(({ tag }) => tag === TAG.key_identifier)?.content ?? null
  }
  return null
}

const NOTHING = Buffer.alloc(0)
const first = (bytes: Buffer = NOTHING): Buffer => itemsIn(bytes)[0]?.content ?? NOTHING

interface Item {
  readonly tag: number
  readonly content: Buffer
}

/** The items of a DER text, one after another. Throws a RangeError for what is cut or has no definite length. */
function itemsIn(bytes: Buffer): Item[] {
  const items: Item[] = []
  for (let at = 0; at < bytes.length;) {
    const short = bytes.readUInt8(at + 1)
    const more = short < 0x80 ? 0 : short - 0x80
    const begin = at + 2 + more
    // Throws for no octets (the indefinite form) and for more than six.
    const length = short < 0x80 ? short : bytes.readUIntBE(at + 2, more)
    if (begin + length > bytes.length) throw new RangeError('cut')
    items.push({ tag: bytes.readUInt8(at), content: bytes.subarray(begin, begin + length) })
    at = begin + length
  }
  return items
}
