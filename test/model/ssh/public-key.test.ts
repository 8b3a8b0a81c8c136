/** Which lines are taken for a public key, and what each refusal says. */
import { describe, expect, it } from 'vitest'
import { parsePublicKey, safeName } from '../../../src/model/ssh/public-key.ts'
import { onToken } from '../../fuzz/ssh/keys.ts'
import { CERT, DSA, ED25519, OTHER, P256, P384, P521, RSA, SAID, WEAK } from './keys.ts'

const partsOf = (line: string): { type: string; blob: Buffer } => {
  const [type = '', key = ''] = line.split(' ')
  return { type, blob: Buffer.from(key, 'base64') }
}
const lineOf = (type: string, blob: Uint8Array): string => `${type} ${Buffer.from(blob).toString('base64')}`

const field = (bytes: Uint8Array | string): Buffer => {
  const content = Buffer.from(bytes as string)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  return Buffer.concat([length, content])
}
const made = (type: string, ...fields: readonly (Uint8Array | string)[]): string =>
  lineOf(type, Buffer.concat([field(type), ...fields.map(field)]))

/** The fields after the type. */
function fieldsOf(line: string): Buffer[] {
  const { blob } = partsOf(line)
  const fields: Buffer[] = []
  for (let at = 0; at < blob.length; at += 4 + blob.readUInt32BE(at))
    fields.push(blob.subarray(at + 4, at + 4 + blob.readUInt32BE(at)))
  return fields.slice(1)
}

describe('a sound key', () => {
  it.each(Object.values(SAID))(
    '%.24s… has the size and the fingerprint that ssh-keygen says',
    (line, bits, fingerprint) => {
      const [type, key] = line.split(' ')
      for (const text of [line, `${line}\n`, `${line}\r\n`, `  ${line} `, `${line} alice@laptop\n`])
        expect(parsePublicKey(text)).toMatchObject({ ok: true, value: { type, key, bits, fingerprint } })
    },
  )

  it('on a token is taken by its own type', () => {
    expect(parsePublicKey(onToken(ED25519))).toMatchObject({ ok: true, value: { bits: 256 } })
    expect(parsePublicKey(onToken(P256))).toMatchObject({ ok: true, value: { bits: 256 } })
  })
})

const [point] = fieldsOf(ED25519)
const [curve, ec] = fieldsOf(P256)
const [e, n] = fieldsOf(RSA)
const { type, blob } = partsOf(ED25519)
const offCurve = Buffer.from(ec!)
offCurve[64]! ^= 1

const REFUSED: readonly (readonly [string, string, RegExp])[] = [
  ['nothing', '', /must begin with its type/],
  ['a type alone', 'ssh-ed25519', /base64/],
  ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn', /private key/],
  ['options before the key', `command="id" ${ED25519}`, /options are given/],
  ['cert-authority before the key', `cert-authority ${ED25519}`, /options are given/],
  ['a second key on a second line', `${ED25519} a\n${OTHER}`, /one line/],
  ['a second key after a carriage return', `${ED25519} a\r${OTHER}`, /one line/],
  ['a NUL', `${ED25519} a\0b`, /one line/],
  ['a tab', ED25519.replace(' ', '\t'), /one line/],
  ['two blanks', ED25519.replace(' ', '  '), /base64/],
  ['a certificate', CERT, /certificate/],
  ['a DSA key', DSA, /DSA/],
  ['a type that nobody has', 'ssh-mldsa44-ed25519@openssh.com AAAA', /must begin with its type/],
  ['a type with the name of a property', '__proto__ AAAA', /must begin with its type/],
  ['a weak RSA key', WEAK, /1024 bits/],
  ['base64 without its padding', P256.replace(/=+$/, ''), /base64/],
  ['base64 with bits left over', `${P384.slice(0, -1)}${P384.endsWith('=') ? 'A' : '='}`, /base64|damaged/],
  ['base64 of the URL alphabet', `${type} ${blob.toString('base64url')}_-`, /base64/],
  ['another type before it', lineOf('ssh-rsa', blob), /another type/],
  [
    'bytes after the key',
    lineOf(type, Buffer.concat([blob, Buffer.from([0])])),
    /cut off, or something follows/,
  ],
  ['a further field', lineOf(type, Buffer.concat([blob, field('x')])), /more or fewer/],
  ['a cut key', lineOf(type, blob.subarray(0, -1)), /cut off/],
  ['a field that is longer than all', lineOf(type, Buffer.from('ffffffff00', 'hex')), /cut off/],
  ['an Ed25519 key of 31 bytes', made('ssh-ed25519', point!.subarray(1)), /32 bytes/],
  ['an Ed25519 key that anybody signs for', made('ssh-ed25519', Buffer.alloc(32)), /anybody/],
  ['the same with its sign', made('ssh-ed25519', Buffer.from(`01${'00'.repeat(30)}80`, 'hex')), /anybody/],
  ['a point off its curve', made('ecdsa-sha2-nistp256', curve!, offCurve), /not on the curve/],
  [
    'a compressed point',
    made('ecdsa-sha2-nistp256', curve!, Buffer.concat([Buffer.from([2]), ec!.subarray(1, 33)])),
    /form/,
  ],
  ['the point at infinity', made('ecdsa-sha2-nistp256', curve!, Buffer.from([0])), /form/],
  ['a curve that is not its type’s', made('ecdsa-sha2-nistp384', curve!, ec!), /curve is another/],
  ['a point of a larger curve', made('ecdsa-sha2-nistp256', curve!, fieldsOf(P521)[1]!), /form/],
  [
    'a token’s key for something else',
    made('sk-ssh-ed25519@openssh.com', point!, 'https://example.com'),
    /application/,
  ],
  ['a token’s key without its application', made('sk-ssh-ed25519@openssh.com', point!), /more or fewer/],
  ['an RSA exponent of one', made('ssh-rsa', Buffer.from([1]), n!), /not sound/],
  ['an even RSA exponent', made('ssh-rsa', Buffer.from([2]), n!), /not sound/],
  [
    'an even modulus',
    made('ssh-rsa', e!, Buffer.concat([n!.subarray(0, -1), Buffer.from([2])])),
    /not sound/,
  ],
  ['a negative modulus', made('ssh-rsa', e!, n!.subarray(1)), /one true form/],
  ['needless zeros', made('ssh-rsa', e!, Buffer.concat([Buffer.from([0]), n!])), /one true form/],
  ['an empty number', made('ssh-rsa', e!, Buffer.alloc(0)), /one true form/],
  [
    'more than sshd takes',
    made('ssh-rsa', e!, Buffer.concat([Buffer.from([1]), Buffer.alloc(2048, 1)])),
    /at most 16384/,
  ],
  ['more than a line may hold', `${ED25519} ${'x'.repeat(8000)}`, /at most 8000/],
]

describe('what is refused, and why', () => {
  it.each(REFUSED)('%s', (_what, text, why) => {
    const parsed = parsePublicKey(text)
    expect(parsed.ok ? '' : parsed.msg).toMatch(why)
  })

  it('texts of 64 KiB that would keep a careless pattern busy', () => {
    for (const text of [' ', '=', 'A', 'ssh-rsa ', '"', '\\', '\n'].map((part) =>
      part.repeat(65_536 / part.length),
    ))
      expect(parsePublicKey(text).ok).toBe(false)
  })
})

it.each([
  ['alice@laptop', 'alice@laptop'],
  ['two  words', 'two-words'],
  ['"; rm -rf / #', 'rm-rf'],
  ['é漢字', ''],
  ['x'.repeat(100), 'x'.repeat(64)],
  ['ssh-ed25519 AAAA', 'ssh-ed25519-AAAA'],
])('the comment %j is reduced to %j', (comment, name) => {
  expect(safeName(comment)).toBe(name)
})
