/** Thousands of distinct certificates in no time: one that openssl made, under other serial numbers. */
import { X509Certificate } from 'node:crypto'
import type { Issued } from './certificate-authority.ts'

/** Decoding reads them like any other. Their signatures do not fit any more, which no reader of facts looks at. */
export function manyCertificates({ cert, key }: Issued, count: number, first = 0): Issued[] {
  const { raw, serialNumber } = new X509Certificate(cert)
  const at = raw.indexOf(Buffer.from(serialNumber, 'hex'))
  const shortKey = key.slice(0, 60)
  return Array.from({ length: count }, (_, i) => {
    const der = Buffer.from(raw)
    der.writeUInt32BE(0x10_00_00_00 + first + i, at)
    return { cert: pemOf(der), key: shortKey }
  })
}

const pemOf = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd()}\n-----END CERTIFICATE-----\n`
