/** Public keys, sound and spoilt in every way that a line of text can be, each from a number alone. */
import { createHash } from 'node:crypto'

export interface Pool {
  /** Lines of `.pub` files without comments, one of each type at least. */
  readonly keys: readonly string[]
}

/** Uniform numbers from a seed: equal seeds give equal lives. */
export function randomFrom(seed: string): { below(most: number): number; pick<T>(from: readonly T[]): T } {
  let state = createHash('sha256').update(seed).digest()
  let at = 0
  const next = (): number => {
    if (at + 4 > state.length) {
      state = createHash('sha256').update(state).digest()
      at = 0
    }
    at += 4
    return state.readUInt32BE(at - 4)
  }
  const below = (most: number): number => next() % most
  return { below, pick: (from) => from[below(from.length)]! }
}

type Random = ReturnType<typeof randomFrom>

const string = (bytes: Uint8Array): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** Keys on a token are made from plain ones: no token is at hand, and the forms differ by the type and the application. */
export function onToken(line: string): string {
  const [type = '', key = ''] = line.split(' ')
  const sk = `sk-${type}@openssh.com`
  const rest = Buffer.from(key, 'base64').subarray(4 + type.length)
  return `${sk} ${Buffer.concat([string(Buffer.from(sk)), rest, string(Buffer.from('ssh:'))]).toString('base64')}`
}

const COMMENTS = [
  '',
  'alice@laptop',
  'two words',
  '"quoted, and=equals"',
  '\\',
  '# hash',
  'é ü 漢字 🙂',
  '\u2028separator',
  '\u0085next',
  'tab\there',
  'restrict,command="id"',
  '${HOME} `id` $(id) {{ template }}',
  'x'.repeat(5000),
] as const

const BREAKS = [
  '\n',
  '\r',
  '\r\n',
  '\u0000',
  '\v',
  '\f',
  '\u2028',
  '\u0085',
  '\u001c',
  ' ',
  '\t',
  '\\n',
  '%0a',
] as const
const OPTIONS = [
  'restrict',
  'command="id"',
  'cert-authority',
  'from="*"',
  'no-pty,',
  'environment="A=B"',
  '"',
  '#',
] as const

/** One try: mostly a key with one thing about it changed, so that much of it is still sound. */
export function spoilt(seed: string, { keys }: Pool): string {
  const random = randomFrom(seed)
  const line = random.pick(keys)
  const other = random.pick(keys)
  const [type = '', key = ''] = line.split(' ')
  const blob = Buffer.from(key, 'base64')
  const made = (bytes: Uint8Array, as = type) => `${as} ${Buffer.from(bytes).toString('base64')}`
  const forms: readonly (() => string)[] = [
    () => line,
    () => `  ${line}`,
    () => made(withNewEnd(blob, random)),
    () => made(withFlips(blob, random, 1)),
  ]
  const ways: readonly (() => string)[] = [
    () => made(withFlips(blob, random, 1 + random.below(8))),
    () => made(blob.subarray(0, random.below(blob.length))),
    () => made(Buffer.concat([blob, Buffer.alloc(1 + random.below(4), random.below(256))])),
    () => made(Buffer.concat([blob, string(Buffer.from('more'))])),
    () => made(blob, other.split(' ')[0]),
    () => `${type} ${spliced(key, random, random.pick(['=', '-', '_', 'A', '\n', ' ', '*']))}`,
    () => line.replace(/=+$/, ''),
    () => `${random.pick(OPTIONS)} ${line}`,
    () => `${line}${random.pick(BREAKS)}${other}`,
    () => `${other.split(' ')[0]}${random.pick(BREAKS)}${line}`,
    () => spliced(line, random, random.pick(BREAKS)),
    () => `${random.pick(BREAKS)}${line}${random.pick(BREAKS)}`,
  ]
  const spoiling = random.pick(random.below(2) === 0 ? forms : ways)()
  const comment =
    random.below(4) === 0 ? `${random.pick(COMMENTS)}${random.pick(BREAKS)}${other}` : random.pick(COMMENTS)
  return comment === '' ? spoiling : `${spoiling} ${comment}`
}

function withFlips(blob: Buffer, random: Random, count: number): Buffer {
  const bytes = Buffer.from(blob)
  for (let i = 0; i < count; i++) bytes[random.below(bytes.length)]! ^= 1 << random.below(8)
  return bytes
}

/** Only what is the key itself, so that its form stays. */
function withNewEnd(blob: Buffer, random: Random): Buffer {
  const bytes = Buffer.from(blob)
  for (let i = 1; i <= 16; i++) bytes[bytes.length - i] = random.below(256)
  return bytes
}

function spliced(text: string, random: Random, part: string): string {
  const at = random.below(text.length + 1)
  return text.slice(0, at) + part + text.slice(at)
}
