/** PEM (RFC 7468) and DER: the library takes and gives requests as text, the port as octets. */

/** The octets of a text that holds one block. */
export const derOf = (pem: string): Buffer => Buffer.from(pem.replace(/-----[A-Z ]+-----/g, ''), 'base64')

export function requestPem(der: Uint8Array): string {
  const lines = Buffer.from(der)
    .toString('base64')
    .match(/.{1,64}/g)
  return [
    '-----BEGIN CERTIFICATE REQUEST-----',
    ...(lines ?? []),
    '-----END CERTIFICATE REQUEST-----',
    '',
  ].join('\n')
}
