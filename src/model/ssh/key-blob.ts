/**
 * The inside of an SSH public key: length-prefixed fields (RFC 4251 §5), and per type what they must hold (RFC 4253 §6.6,
 * RFC 5656 §3.1, RFC 8709 §4, OpenSSH's PROTOCOL.u2f). What OpenSSH would not read, or what anybody could sign for, is
 * refused.
 */
import { createPublicKey } from 'node:crypto'
import { accept, type Parsed, refuse } from '../text/result.ts'

/** What is read; how many a new key needs is said in `public-key.ts`. */
const MIN_RSA_BITS = 2048
/** OpenSSH reads no larger one (SSHBUF_MAX_BIGNUM). */
const MAX_RSA_BITS = 16_384
const MAX_EXPONENT_BITS = 64

interface Curve {
  /** As JSON Web Keys call it. */
  readonly jwk: string
  readonly bits: number
  readonly order: bigint
}

const CURVES: Readonly<Record<string, Curve>> = {
  nistp256: {
    jwk: 'P-256',
    bits: 256,
    order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  },
  nistp384: {
    jwk: 'P-384',
    bits: 384,
    order:
      0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  },
  nistp521: {
    jwk: 'P-521',
    bits: 521,
    order:
      0x01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
  },
}

type Check = (fields: readonly Buffer[]) => Parsed<number>

/** By type: whether the fields after the type are such a key, and its size in bits. */
const CHECKS: Readonly<Record<string, Check>> = {
  'ssh-ed25519': ([point, ...rest]) => (rest.length > 0 ? WRONG_FIELDS : ed25519(point)),
  'sk-ssh-ed25519@openssh.com': ([point, application, ...rest]) =>
    rest.length > 0 ? WRONG_FIELDS : onToken(ed25519(point), application),
  'ecdsa-sha2-nistp256': (fields) => ecdsa('nistp256', fields),
  'ecdsa-sha2-nistp384': (fields) => ecdsa('nistp384', fields),
  'ecdsa-sha2-nistp521': (fields) => ecdsa('nistp521', fields),
  'sk-ecdsa-sha2-nistp256@openssh.com': ([curve, point, application, ...rest]) =>
    rest.length > 0 || curve === undefined || point === undefined
      ? WRONG_FIELDS
      : onToken(ecdsa('nistp256', [curve, point]), application),
  'ssh-rsa': rsa,
}

export const KEY_TYPES: readonly string[] = Object.keys(CHECKS)

const damaged = (why: string): Parsed<never> => refuse('ssh_key', `is damaged: ${why}`)
const WRONG_FIELDS = damaged('it has more or fewer parts than a key of its type')

/** The size of the key in bits. */
export function checkBlob(type: string, blob: Buffer): Parsed<number> {
  const check = Object.hasOwn(CHECKS, type) ? CHECKS[type] : undefined
  if (check === undefined)
    return refuse('ssh_key', `must be a key of one of the types ${KEY_TYPES.join(', ')}`)
  const fields = fieldsOf(blob)
  if (fields === null) return damaged('a part is cut off, or something follows after the last one')
  const [inner, ...rest] = fields
  if (inner === undefined || inner.toString('latin1') !== type)
    return damaged('it says that it is of another type than is written before it')
  return check(rest)
}

/** Null unless the fields fill the blob exactly. */
export function fieldsOf(blob: Buffer): Buffer[] | null {
  const fields: Buffer[] = []
  for (let at = 0; at < blob.length;) {
    if (at + 4 > blob.length) return null
    const end = at + 4 + blob.readUInt32BE(at)
    if (end > blob.length) return null
    fields.push(blob.subarray(at + 4, end))
    at = end
  }
  return fields
}

export const blobOf = (fields: readonly Buffer[]): Buffer =>
  Buffer.concat(
    fields.flatMap((field) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(field.length)
      return [length, field]
    }),
  )

/** Points of small order, by their y and without their sign: with such a key anybody's signature would fit. */
const SMALL_ORDER = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
])

function ed25519(point: Buffer | undefined): Parsed<number> {
  if (point?.length !== 32) return damaged('an Ed25519 key has 32 bytes')
  const unsigned = Buffer.from(point)
  unsigned[31]! &= 0x7f
  return SMALL_ORDER.has(unsigned.toString('hex'))
    ? refuse('ssh_key', 'is a key that anybody could sign for')
    : accept(256)
}

/** The checks of OpenSSH's `sshkey_ec_validate_public`: on the curve, and neither coordinate suspiciously small or large. */
function ecdsa(name: string, [curve, point, ...rest]: readonly Buffer[]): Parsed<number> {
  const { jwk, bits, order } = CURVES[name]!
  const width = Math.ceil(bits / 8)
  if (curve === undefined || point === undefined || rest.length > 0) return WRONG_FIELDS
  if (curve.toString('latin1') !== name) return damaged('its curve is another one than its type says')
  if (point.length !== 1 + 2 * width || point[0] !== 4)
    return damaged('its point has another form than x and y')
  const [x, y] = [point.subarray(1, 1 + width), point.subarray(1 + width)]
  for (const coordinate of [x, y]) {
    const value = BigInt(`0x${coordinate.toString('hex')}`)
    const least = Math.floor(order.toString(2).length / 2)
    if (value.toString(2).length <= least || value >= order - 1n)
      return damaged('its point is not a sound one')
  }
  return isOnCurve(jwk, x, y) ? accept(bits) : damaged('its point is not on the curve')
}

function isOnCurve(crv: string, x: Buffer, y: Buffer): boolean {
  const key = { kty: 'EC', crv, x: x.toString('base64url'), y: y.toString('base64url') }
  try {
    createPublicKey({ key, format: 'jwk' })
    return true
  } catch {
    return false
  }
}

/** @param application what the key is for; `ssh:` and what the user added */
function onToken(key: Parsed<number>, application: Buffer | undefined): Parsed<number> {
  if (application === undefined) return WRONG_FIELDS
  return /^ssh:[\u0021-\u007e]{0,252}$/.test(application.toString('latin1'))
    ? key
    : damaged('its application does not begin with "ssh:"')
}

function rsa([e, n, ...rest]: readonly Buffer[]): Parsed<number> {
  if (e === undefined || n === undefined || rest.length > 0) return WRONG_FIELDS
  if (!isPositive(e) || !isPositive(n)) return damaged('a number in it is not in its one true form')
  const bits = bitsOf(n)
  if (bits < MIN_RSA_BITS)
    return refuse(
      'ssh_key',
      `has ${bits} bits and must have at least ${MIN_RSA_BITS}; make one with "ssh-keygen -t ed25519"`,
    )
  if (bits > MAX_RSA_BITS)
    return refuse('ssh_key', `has ${bits} bits, and sshd takes at most ${MAX_RSA_BITS}`)
  const exponent_bits = bitsOf(e)
  const is_sound = isOdd(e) && isOdd(n) && exponent_bits >= 2 && exponent_bits <= MAX_EXPONENT_BITS
  return is_sound
    ? accept(bits)
    : refuse('ssh_key', 'is an RSA key that is not sound: even numbers, or a strange exponent')
}

/** A positive multiple-precision integer without needless zeros (RFC 4251 §5). */
const isPositive = (number: Buffer): boolean =>
  number.length > 0 && number[0]! < 0x80 && (number[0] !== 0 || (number[1] ?? 0) >= 0x80)

function bitsOf(number: Buffer): number {
  const digits = number[0] === 0 ? number.subarray(1) : number
  return (digits.length - 1) * 8 + (32 - Math.clz32(digits[0]!))
}

const isOdd = (number: Buffer): boolean => (number.at(-1)! & 1) === 1
