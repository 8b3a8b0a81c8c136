/** Certificates that no authority would make: good ones with bytes changed, as DER. Their signatures do not fit any more. */
import { X509Certificate } from 'node:crypto'

/** Its dates are words. The parser takes them; only who wants the date finds that there is none. */
export function badDates(cert: string): Buffer {
  const der = Buffer.from(new X509Certificate(cert).raw)
  // UTCTime (tag 0x17, 13 characters), twice in the validity (RFC 5280 §4.1.2.5).
  const at = der.indexOf(Buffer.from([0x30, 0x1e, 0x17, 0x0d]))
  der.write('NOTADATEATALL', at + 4, 'latin1')
  der.write('NOTADATEATALL', at + 19, 'latin1')
  return der
}

/** The key's algorithm (id-ecPublicKey, 1.2.840.10045.2.1) becomes one that does not exist. */
export function unknownKey(cert: string): Buffer {
  const der = Buffer.from(new X509Certificate(cert).raw)
  const oid = Buffer.from('06072a8648ce3d0201', 'hex')
  der.writeUInt8(0x7f, der.indexOf(oid) + oid.length - 1)
  return der
}
