/** The greeting of TLS (RFC 8446 §4.1.2), as far as a router asks: which name, and which protocols. */

export interface ClientHello {
  readonly server_name: string
  readonly protocols: readonly string[]
}

const HANDSHAKE = 0x16
const SERVER_NAME = 0
const PROTOCOLS = 16

export const isTls = (bytes: Buffer): boolean => bytes[0] === HANDSHAKE

/** Null: not all of it is there yet. */
export function clientHello(bytes: Buffer): ClientHello | null {
  if (bytes.length < 5 || bytes.length < 5 + bytes.readUInt16BE(3)) return null
  const found = { server_name: '', protocols: [] as string[] }
  // Record and handshake headers, version and random.
  let at = 5 + 4 + 2 + 32
  at += 1 + bytes.readUInt8(at)
  at += 2 + bytes.readUInt16BE(at)
  at += 1 + bytes.readUInt8(at)
  const end = at + 2 + bytes.readUInt16BE(at)
  at += 2
  while (at + 4 <= end) {
    const [type, length] = [bytes.readUInt16BE(at), bytes.readUInt16BE(at + 2)]
    const body = bytes.subarray(at + 4, at + 4 + length)
    if (type === SERVER_NAME)
      found.server_name = body.toString('latin1', 5, 5 + body.readUInt16BE(3)).toLowerCase()
    if (type === PROTOCOLS) found.protocols = protocolsOf(body)
    at += 4 + length
  }
  return found
}

function protocolsOf(body: Buffer): string[] {
  const found: string[] = []
  for (let at = 2; at < body.length; at += 1 + body[at]!)
    found.push(body.toString('latin1', at + 1, at + 1 + body[at]!))
  return found
}
