/** A UniFi controller in its three kinds: let in, kept in, and read whatever types it sends; trouble is named, never empty. */
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpClient } from '../../../../src/io/http-client/create-client.ts'
import { unifiController } from '../../../../src/features/discovery/unifi/controller.ts'
import type { UnifiCredential } from '../../../../src/features/discovery/unifi/session.ts'
import { Secret } from '../../../../src/kernel/secret.ts'
import type { NetworkController, SiteState } from '../../../../src/features/discovery/model/lab-port.ts'
import {
  type Kind,
  UNIFI_KEY,
  UNIFI_PASSWORD,
  UNIFI_USER,
  type UnifiApi,
  unifiApi,
  type UnifiOptions,
} from '../../../fakes/lab/unifi.ts'
import { type MovedClock, movedClock } from '../../../kit/moved-clock.ts'
import { newFolder } from '../../../kit/new-folder.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

const KEY: UnifiCredential = { kind: 'key', key: new Secret(UNIFI_KEY) }
const login = (password = UNIFI_PASSWORD): UnifiCredential => ({
  kind: 'login',
  user: UNIFI_USER,
  password: new Secret(password),
})
const credentialOf = (kind: Kind): UnifiCredential => (kind === 'key' ? KEY : login())

interface Opened {
  readonly api: UnifiApi
  readonly controller: NetworkController
  readonly clock: MovedClock
}

async function open(
  options: UnifiOptions = {},
  {
    credential = credentialOf(options.kind ?? 'key'),
    pin,
  }: { credential?: UnifiCredential; pin?: string } = {},
): Promise<Opened> {
  const api = await unifiApi(options)
  const clock = movedClock()
  const http = createHttpClient({ clock, ...(pin !== undefined && { pinned_sha256: pin }) })
  opened.push(api, http)
  return {
    api,
    clock,
    controller: unifiController({ name: 'home', base: api.base, credential, http, clock }),
  }
}

const signal = () => AbortSignal.timeout(60_000)
const detailOf = async ({ controller }: Opened): Promise<string> => {
  const look = await controller.look(signal())
  return look.known ? 'known' : `${look.reason}: ${look.detail}`
}

const sitesOf = async ({ controller }: Opened): Promise<readonly SiteState[]> => {
  const look = await controller.look(signal())
  if (!look.known) throw new Error(look.detail)
  return look.state.sites
}

describe('all three kinds', () => {
  it.each<Kind>(['key', 'login', 'classic'])('%s: the same home is read', async (kind) => {
    const { api, controller } = await open({ kind })
    const look = await controller.look(signal())
    expect(look).toMatchObject({
      known: true,
      state: {
        version: '9.0.114',
        sites: [
          {
            site: 'default',
            label: 'Home',
            networks: ['192.168.1.1/24'],
            unreadable: 1,
            hosts: [
              { name: 'Attic', kind: 'device', online: false },
              { name: 'Gateway', kind: 'device', online: true, vendor: 'UDMPRO' },
              { name: 'old-nas', online: false, address: '192.168.1.9', last_seen: 1_690_000_000_000 },
              { name: 'phone', online: true, wired: false, hostname: 'phone' },
              {
                name: 'printer',
                mac: '02:00:5e:10:00:01',
                online: true,
                wired: true,
                vlan: 1,
                address: '192.168.1.50',
                last_seen: 1_700_086_400_000,
              },
            ],
          },
        ],
      },
    })
    await controller.look(signal())
    expect(api.logins(), 'one login serves many looks').toBe(kind === 'key' ? 0 : 1)
  })

  it.each<Kind>(['login', 'classic'])('%s: a session that ended is opened anew, once', async (kind) => {
    const { api, controller } = await open({ kind })
    await controller.look(signal())
    api.endSessions()
    const looks = await Promise.all(Array.from({ length: 4 }, () => controller.look(signal())))
    expect(looks.map(({ known }) => known)).toEqual([true, true, true, true])
    expect(api.logins()).toBe(2)
  })
})

describe('trouble with the credential', () => {
  it.each<[string, Kind, UnifiCredential, RegExp]>([
    ['a wrong key', 'key', { kind: 'key', key: new Secret('canary-key') }, /^refused: home: .*credential/],
    [
      'a wrong password',
      'login',
      login('canary-word'),
      /^refused: home: it does not accept the user and password/,
    ],
    ['a wrong password, classic', 'classic', login('canary-word'), /^refused: home: it does not accept/],
  ])('%s is told, and never repeated', async (_what, kind, credential, words) => {
    const said = await detailOf(await open({ kind }, { credential }))
    expect(said).toMatch(words)
    expect(said).not.toContain('canary')
  })

  it.each<[string, Record<string, string>, string, number]>([
    ['without a time', {}, 'a minute', 60_000],
    ['for five minutes', { 'retry-after': '300' }, '5 minutes', 300_000],
    ['for years', { 'retry-after': '99999999' }, '15 minutes', 900_000],
  ])(
    'a controller that has had enough of logins %s is left alone, and not for ever',
    async (_, headers, when, wait_ms) => {
      const at = await open({ kind: 'login' })
      at.api.answer = (request, response) => {
        if (request.url !== '/api/auth/login') return false
        response.writeHead(429, headers).end('{"code":"AUTHENTICATION_FAILED_LIMIT_REACHED"}')
        return true
      }
      expect(await detailOf(at)).toMatch(/too many logins/)
      const asked = at.api.asked.length
      expect(await detailOf(at)).toContain(
        `asks to wait between logins; the next one is tried within ${when}`,
      )
      expect(at.api.asked).toHaveLength(asked)
      at.api.answer = null
      at.clock.step(wait_ms + 1)
      expect(await detailOf(at)).toBe('known')
    },
  )

  it('a second factor is named, with the way out', async () => {
    const at = await open({ kind: 'login' })
    at.api.answer = (request, response) => {
      if (request.url !== '/api/auth/login') return false
      response.writeHead(499).end('{"code":"MFA_AUTH_REQUIRED"}')
      return true
    }
    expect(await detailOf(at)).toMatch(/second factor; use an API key/)
  })
})

describe('answers that are none', () => {
  it.each<[string, number, string, RegExp]>([
    ['HTML with 200', 200, '<html></html>', /^unreadable: home: \/api\/self\/sites/],
    [
      'an error with 200',
      200,
      '{"meta":{"rc":"error","msg":"api.err.NoPermission"},"data":[]}',
      /^refused: .*NoPermission/,
    ],
    ['no data', 200, '{"meta":{"rc":"ok"}}', /^unreadable/],
    ['a bad gateway', 502, '<html></html>', /^unreachable: .*502/],
    ['an error of UniFi OS', 500, '{"code":500,"message":"starting up"}', /starting up/],
  ])('%s', async (_what, status, body, words) => {
    const at = await open()
    at.api.answer = (_request, response) => {
      response.writeHead(status).end(body)
      return true
    }
    expect(await detailOf(at)).toMatch(words)
  })

  it('one list that fails is named as missing, so that half a site never looks like a smaller one', async () => {
    const at = await open()
    at.api.lists.delete('stat/sta')
    const [part] = await sitesOf(at)
    expect([part!.missing, part!.raw.online.known, part!.raw.devices.known]).toEqual([
      [expect.stringMatching(/stat\/sta/)],
      false,
      true,
    ])
    at.api.lists.set('stat/sta', [])
    expect((await sitesOf(at))[0]!.missing).toEqual([])
  })
})

describe('a certificate of its own', () => {
  const made = (): { key: string; cert: string; sha256: string } => {
    const directory = newFolder('unifi')
    const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-subj',
        '/CN=unifi.local',
        '-days',
        '2',
        '-keyout',
        key,
        '-out',
        cert,
      ],
      { stdio: 'ignore' },
    )
    const text = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
    rmSync(directory, { recursive: true })
    const sha256 = new X509Certificate(text.cert).fingerprint256.replaceAll(':', '').toLowerCase()
    return { ...text, sha256 }
  }

  it('is accepted when it is the pinned one, and told when it is another, before any key is sent', async () => {
    const { key, cert, sha256 } = made()
    expect(await detailOf(await open({ tls: { key, cert } }, { pin: sha256 }))).toBe('known')
    const stranger = await open({ tls: { key, cert } }, { pin: '0'.repeat(64) })
    expect(await detailOf(stranger)).toMatch(new RegExp(`^unreachable: .*another certificate.*${sha256}`))
    expect(stranger.api.asked).toEqual([])
    const unpinned = await open({ tls: { key, cert } })
    expect(await detailOf(unpinned)).toMatch(/not trusted/)
    expect(unpinned.api.asked).toEqual([])
  })
})
