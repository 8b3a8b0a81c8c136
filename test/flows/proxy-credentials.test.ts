/** A proxy whose API lets in only whom it knows, or speaks TLS with a certificate of its own. */
import { X509Certificate } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../../src/io/log/create-log.ts'
import { certificateAuthority, type Issued } from '../fakes/certificate-authority.ts'
import type { FakeTraefikOptions } from '../fakes/traefik/traefik.ts'
import { openProxyHouse, type ProxyHouse } from './proxy-house.ts'
import { createActive, openTestHouse } from './test-house.ts'
import { itInDepth } from '../kit/in-depth.ts'
import { byTier, sample } from '../kit/tier.ts'
import { newFolder } from '../kit/new-folder.ts'

const PASSWORD = 'canary pässword: 42'
const TOKEN = 'canary-token-0123456789'
const BASIC = `Basic ${Buffer.from(`plumbline:${PASSWORD}`).toString('base64')}`

const basic: NonNullable<FakeTraefikOptions['guard']> = ({ authorization }) =>
  authorization === BASIC ? null : 401
const forbidding: typeof basic = ({ authorization }) => (authorization === BASIC ? 403 : 401)
const bearer: typeof basic = ({ authorization }) => (authorization === `Bearer ${TOKEN}` ? null : 401)
const own: typeof basic = (headers) => (headers['x-api-key'] === TOKEN ? null : 403)

const USER = { PLUMBLINE_TRAEFIK_API_USER: 'plumbline', PLUMBLINE_TRAEFIK_API_PASSWORD: PASSWORD }

interface Seen {
  readonly reachable: boolean
  readonly reason: string | null
  readonly detail: string | null
}
const proxyOf = async (at: Pick<ProxyHouse, 'call'>): Promise<Seen> =>
  (await at.call('GET', '/api/deploy/status')).body['proxy'] as unknown as Seen

describe('credentials', () => {
  const IN: readonly [string, typeof basic, Readonly<Record<string, string>>][] = [
    ['a user and a password', basic, USER],
    ['a bearer token', bearer, { PLUMBLINE_TRAEFIK_API_HEADER: `Authorization: Bearer ${TOKEN}` }],
    ['a header of its own', own, { PLUMBLINE_TRAEFIK_API_HEADER: `X-Api-Key:${TOKEN}` }],
  ]
  for (const [what, guard, env] of IN)
    itInDepth(`${what}: deploys are seen to be loaded`, async () => {
      await using at = await openProxyHouse({ env, traefik: { guard } })
      await createActive(at.call)
      expect(await proxyOf(at)).toMatchObject({ reachable: true, reason: null, loaded: true })
    })

  itInDepth('come from a file too', async () => {
    const directory = newFolder('secret')
    const file = join(directory, 'password')
    writeFileSync(file, `${PASSWORD}\n`, { mode: 0o600 })
    const env = { PLUMBLINE_TRAEFIK_API_USER: 'plumbline', PLUMBLINE_TRAEFIK_API_PASSWORD_FILE: file }
    await using at = await openProxyHouse({ env, traefik: { guard: basic } })
    expect(await proxyOf(at)).toMatchObject({ reachable: true })
  })

  const OUT: readonly [string, typeof basic, Readonly<Record<string, string>>, RegExp][] = [
    [
      'none where some are asked for',
      basic,
      {},
      /without credentials \(401\): set PLUMBLINE_TRAEFIK_API_USER/,
    ],
    [
      'wrong ones',
      basic,
      { ...USER, PLUMBLINE_TRAEFIK_API_PASSWORD: 'canary' },
      /does not take our credentials \(401\)/,
    ],
    ['right ones that may not', forbidding, USER, /does not let us in \(403\)/],
  ]
  for (const [what, guard, env, words] of sample(OUT, 3))
    it(`${what}: refused is its own reason, nothing is written back, and no secret is told`, async () => {
      const lines: string[] = []
      const log = createLog({
        level: 'debug',
        format: 'json',
        destination: { write: (line: string) => void lines.push(line) },
      })
      await using at = await openProxyHouse({ env, traefik: { guard }, log })
      const id = await createActive(at.call)
      const before = at.routes()
      const seen = await proxyOf(at)
      expect(seen).toMatchObject({ reachable: false, reason: 'refused', loaded: null })
      expect(seen.detail).toMatch(words)
      const answers = [
        seen,
        (await at.call('GET', `/api/domains/${id}/effective-config`)).body,
        (await at.call('POST', '/api/deploy-all')).body,
        (await at.call('GET', '/api/metrics/summary')).body,
      ]
      expect(answers[1]).toMatchObject({ sync_status: 'unknown' })
      expect(at.routes()).toBe(before)
      const told = JSON.stringify(answers) + lines.join('\n')
      expect(told).not.toContain('canary')
      expect(told).not.toContain(BASIC.slice(6))
    })
})

describe('settings that cannot be meant', () => {
  const API = 'https://traefik.example.com'
  const WRONG: readonly [Readonly<Record<string, string>>, RegExp][] = [
    [
      { PLUMBLINE_TRAEFIK_API: 'http://admin:canary@traefik:8080' },
      /must not hold a user name or password; set PLUMBLINE_TRAEFIK_API_USER and PLUMBLINE_TRAEFIK_API_PASSWORD/,
    ],
    [
      { PLUMBLINE_TRAEFIK_API: API, PLUMBLINE_TRAEFIK_API_USER: 'me' },
      /_USER needs PLUMBLINE_TRAEFIK_API_PASSWORD/,
    ],
    [{ PLUMBLINE_TRAEFIK_API: API, PLUMBLINE_TRAEFIK_API_PASSWORD: 'canary' }, /_PASSWORD needs .*_USER/],
    [{ PLUMBLINE_TRAEFIK_API: API, PLUMBLINE_TRAEFIK_API_USER: 'a:b' }, /must not hold a colon/],
    [{ ...USER }, /does nothing without PLUMBLINE_TRAEFIK_API/],
    [{ PLUMBLINE_TRAEFIK_API: API, PLUMBLINE_TRAEFIK_API_HEADER: 'canary' }, /must be one header such as/],
    [
      { PLUMBLINE_TRAEFIK_API: API, PLUMBLINE_TRAEFIK_API_HEADER: 'Host: canary' },
      /must be one header such as/,
    ],
    [
      { PLUMBLINE_TRAEFIK_API: API, ...USER, PLUMBLINE_TRAEFIK_API_HEADER: 'authorization: Bearer canary' },
      /says who we are a second time/,
    ],
    [
      { PLUMBLINE_TRAEFIK_API: 'http://traefik:8080', PLUMBLINE_TRAEFIK_API_FINGERPRINT: 'ab'.repeat(32) },
      /only for an https/,
    ],
    [{ PLUMBLINE_TRAEFIK_API: API, PLUMBLINE_TRAEFIK_API_CA: '/absent/ca.pem' }, /cannot be read \(ENOENT\)/],
    [{ PLUMBLINE_TRAEFIK_API: API, PLUMBLINE_TRAEFIK_API_CA: '/etc/hostname' }, /holds no certificate/],
  ]
  for (const [env, words] of sample(WRONG, WRONG.length))
    it(`${JSON.stringify(env).replaceAll('canary', '…')} stops the start by ${String(words)}`, async () => {
      const started = openTestHouse({ env }).then(
        (at) => at[Symbol.asyncDispose](),
        (error: unknown) => error as Error,
      )
      const error = await started
      expect(error).toMatchObject({ code: 'bad_configuration' })
      const told = `${error?.message} ${JSON.stringify(error)}`
      expect(told).toMatch(words)
      expect(told).not.toContain('canary')
    })
})

describe('an API behind TLS', () => {
  let issued: Issued
  let other: Issued
  let folder: string
  beforeAll(() => {
    folder = newFolder('tls')
    const [ours, theirs] = [certificateAuthority(), certificateAuthority('Somebody else')]
    issued = ours.issue({ names: [], raw_san: 'IP:127.0.0.1' })
    other = theirs.issue({ names: [], raw_san: 'IP:127.0.0.1' })
    ours.close()
    theirs.close()
  })

  /** The certificates after the leaf. */
  const authority = ({ cert }: Issued): string => {
    const file = join(folder, `${cert.length}-${Math.random()}.pem`)
    writeFileSync(file, cert.slice(cert.indexOf('-----END CERTIFICATE-----') + 26))
    return file
  }
  const pin = ({ cert }: Issued): string => new X509Certificate(cert).fingerprint256

  const cases: readonly [string, () => Readonly<Record<string, string>>, RegExp | null][] = [
    ['the pinned certificate is taken', () => ({ PLUMBLINE_TRAEFIK_API_FINGERPRINT: pin(issued) }), null],
    ['one of the named authority is taken', () => ({ PLUMBLINE_TRAEFIK_API_CA: authority(issued) }), null],
    ['one of nobody known is not', () => ({}), /not trusted/],
    [
      'another than the pinned one is not',
      () => ({ PLUMBLINE_TRAEFIK_API_FINGERPRINT: pin(other) }),
      /another certificate than the pinned one/,
    ],
    [
      'one of another authority is not',
      () => ({ PLUMBLINE_TRAEFIK_API_CA: authority(other) }),
      /not trusted|failed \(/,
    ],
  ]
  // The gate tries the one that is pinned and not shown.
  for (const [what, env, words] of byTier(cases.slice(3, 4), cases))
    it(`${what}, and ${words === null ? 'the proxy is seen' : 'nobody is sent a password'}`, async () => {
      await using at = await openProxyHouse({
        env: { ...USER, ...env() },
        traefik: { tls: issued, guard: basic },
      })
      const seen = await proxyOf(at)
      if (words === null) expect(seen).toMatchObject({ reachable: true })
      else {
        expect(seen).toMatchObject({ reachable: false, reason: 'unreachable' })
        expect(seen.detail).toMatch(words)
        expect(at.traefik.asked).toEqual([])
      }
    })
})
