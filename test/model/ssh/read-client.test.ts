/** A client out of a file is judged as one that a caller sends. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SshClient } from '../../../src/model/ssh/client.ts'
import { lineOf } from '../../../src/features/ssh-clients/model/line.ts'
import { parsePublicKey } from '../../../src/model/ssh/public-key.ts'
import { readClient } from '../../../src/model/ssh/read-client.ts'
import { runs } from '../../kit/tier.ts'
import { ED25519, RSA } from './keys.ts'
import { NO_OPTIONS } from './options.ts'

const clientOf = (text: string): SshClient => {
  const parsed = parsePublicKey(text)
  if (!parsed.ok) throw new Error(parsed.msg)
  const { type, key, bits, fingerprint } = parsed.value
  const facts = { name: 'laptop-of-jo', revision: 1, created_at: 1, updated_at: 2 }
  return { type, key, bits, fingerprint, ...facts, options: NO_OPTIONS }
}
const CLIENT = clientOf(ED25519)
const withOptions = (over: object) => ({ ...CLIENT, options: { ...NO_OPTIONS, ...over } })
const faultsOf = (value: unknown) => {
  const read = readClient(value)
  return read.ok ? [] : read.errors.map(({ loc }) => loc.join('.'))
}

it.each([
  CLIENT,
  clientOf(RSA),
  {
    ...CLIENT,
    options: { ...NO_OPTIONS, from: ['10.0.0.0/8'], command: 'true', expires_at: 1_893_456_000_000 },
  },
])('comes back as it was written', (client) => {
  expect(readClient(JSON.parse(JSON.stringify(client)))).toEqual({ ok: true, client })
})

const LINE = 'true\nssh-ed25519 AAAA'
const CASES: readonly (readonly [string, unknown])[] = [
  ['', null],
  ['key', {}],
  ['key', { ...CLIENT, key: `${CLIENT.key}\n` }],
  ['key', { ...CLIENT, type: 'ssh-dss' }],
  ['fingerprint', { ...CLIENT, fingerprint: 'SHA256:another' }],
  ['name', { ...CLIENT, name: 'jo\nssh-ed25519 AAAA' }],
  ['revision', { ...CLIENT, revision: 0.5 }],
  ['created_at', { ...CLIENT, created_at: 9e15 }],
  ['options', { ...CLIENT, options: 'none' }],
  ['options.command', withOptions({ command: LINE })],
  ['options.command', withOptions({ command: undefined })],
  ['options.from', withOptions({ from: [LINE] })],
  ['options.from', withOptions({ from: '10.0.0.0/8' })],
  ['options.permit_open', withOptions({ port_forwarding: true, permit_open: [LINE] })],
  ['options.permit_listen', withOptions({ port_forwarding: true, permit_listen: [{}] })],
  ['options.pty', withOptions({ pty: 'yes' })],
  ['options.expires_at', withOptions({ expires_at: 9e15 })],
  ['options.expires_at', withOptions({ expires_at: LINE })],
  ['options.agent', withOptions({ agent: true })],
]

describe('what is refused names its field', () => {
  it.each(CASES)('%s', (field, value) => {
    expect(faultsOf(value)).toEqual([field])
  })
})

it('whatever stands there, it is one line or none', () => {
  const anything = fc.anything({ withBigInt: false })
  const odd = fc
    .record({ name: anything, command: anything, from: anything, expires_at: anything, revision: anything })
    .map(({ name, revision, ...options }) => ({ ...withOptions(options), name, revision }))
  fc.assert(
    fc.property(fc.oneof(odd, anything), (value) => {
      const read = readClient(value)
      if (read.ok) expect(lineOf(read.client)).not.toMatch(/[\r\n\0]/)
    }),
    { numRuns: runs(5_000) },
  )
})
