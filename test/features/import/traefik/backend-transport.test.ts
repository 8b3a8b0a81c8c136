/** Backends over TLS in hand-written files: a record of the same meaning, or the reason why not. */
import { afterAll, expect, it } from 'vitest'
import { INSECURE } from '../../../../src/model/domain/backend-rules.ts'
import { fromTraefik } from '../../../../src/features/import/traefik.ts'
import { backendCertificates } from '../../../fakes/backend-certificates.ts'
import { CONTEXT } from './context.ts'

const made = backendCertificates()
afterAll(() => made[Symbol.dispose]())
const readAuthority = (path: string) => (path === '/certs/home.pem' ? made.authority : null)

function imported(url: string, transport: object | null) {
  const balancer = { servers: [{ url }], ...(transport !== null && { serversTransport: 't' }) }
  const data = {
    http: {
      routers: { r: { rule: 'Host(`nas.example.com`)', entryPoints: ['websecure'], tls: {}, service: 's' } },
      services: { s: { loadBalancer: balancer } },
      ...(transport !== null && { serversTransports: { t: transport } }),
    },
  }
  const { records, leftovers } = fromTraefik([{ file: 'a.yml', data }], { ...CONTEXT, readAuthority })
  const [record] = records
  return {
    said: record && {
      scheme: record.input.backend_scheme,
      tls: record.input.backend_tls,
      type: record.input.service_type,
    },
    notes: record?.notes ?? [],
    reason: leftovers.find(({ where }) => where === 'http.routers.r')?.reason,
  }
}

const URL = 'https://10.0.0.5:8006'

it.each<[string, object | null, object]>([
  ['http://10.0.0.5:443', null, { scheme: 'http' }],
  ['https://10.0.0.5', null, { scheme: undefined, tls: undefined }],
  ['h2c://10.0.0.5:50051', null, { scheme: 'h2c' }],
  [URL, null, { scheme: 'https', tls: undefined, type: 'http' }],
  [URL, { insecureSkipVerify: 'true' }, { scheme: 'https', tls: { trust: 'insecure' } }],
  [URL, { insecureSkipVerify: false }, { scheme: 'https', tls: undefined }],
  [URL, { serverName: 'pve.lan' }, { tls: { trust: 'system', server_name: 'pve.lan' } }],
  [URL, { rootCAs: ['/certs/home.pem'] }, { tls: { trust: 'ca', pem: made.authority } }],
  [
    URL,
    { rootCAs: [made.authority], serverName: 'x.lan' },
    { tls: { trust: 'ca', pem: made.authority, server_name: 'x.lan' } },
  ],
  [URL, { insecureSkipVerify: true, rootCAs: ['/gone.pem'] }, { tls: { trust: 'insecure' } }],
  [
    URL,
    { insecureSkipVerify: true, forwardingTimeouts: { dialTimeout: '9s' } },
    { type: 'api', tls: { trust: 'insecure' } },
  ],
  ['http://10.0.0.5:8080', { insecureSkipVerify: true }, { scheme: undefined, tls: undefined, type: 'http' }],
])('%s with %j becomes %j', (url, transport, said) => {
  const found = imported(url, transport)
  expect(found.reason).toBeUndefined()
  expect(found.said).toMatchObject(said)
})

it('trust in nobody is said', () => {
  expect(imported(URL, { insecureSkipVerify: true }).notes).toContain(INSECURE)
})

it.each<[object, RegExp]>([
  [{ rootCAs: ['/certs/gone.pem'] }, /authority `\/certs\/gone\.pem` cannot be read here/],
  [{ rootCAs: ['certs/home.pem'] }, /cannot be read here/],
  [{ rootCAs: ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'] }, /cannot be read/],
  [{ certificates: [{ certFile: '/a', keyFile: '/b' }] }, /`certificates`, which a record cannot say/],
  [{ disableHTTP2: true }, /`disableHTTP2`, which a record cannot say/],
  [{ insecureSkipVerify: 'maybe' }, /neither true nor false/],
  [{ serverName: '*' }, /server_name/],
])('%j stays, because %s', (transport, reason) => {
  expect(imported(URL, transport)).toMatchObject({
    said: undefined,
    reason: expect.stringMatching(reason) as string,
  })
})
