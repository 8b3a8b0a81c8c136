/** TLS towards backends in the routes file: a transport for each record that says more than the proxy knows by itself. */
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { DomainFields } from '../../../../src/model/domain/record.ts'
import { routesCodec } from '../../../../src/features/routes/target/codec.ts'
import { textOf } from '../../../../src/features/routes/render/text.ts'
import { routesJson } from '../../../../src/features/routes/render/as-json.ts'
import { renderRoutes } from '../../../../src/features/routes/target/desire.ts'
import { domainOfName } from '../../../../src/features/routes/render/names.ts'
import { excludeDomains } from '../../../../src/features/routes/opens/exclude-routes.ts'
import { anIntent, type RowWish } from '../../../fixtures.ts'
import { type Tree, treeOf } from './oracle.ts'
import { someSettings, textOfRows } from './settings.ts'

const PEM = '-----BEGIN CERTIFICATE-----\nAQID\n-----END CERTIFICATE-----\n'
const SETTINGS = someSettings({ backend_authorities: new Map([['home', PEM]]) })

const https = (domain: string, backend_tls: DomainFields['backend_tls'], over: RowWish = {}): RowWish => ({
  domain,
  backend_port: 8443,
  backend_scheme: 'https',
  backend_tls,
  ...over,
})

const ROWS: readonly RowWish[] = [
  https('a.example.com', null),
  https('b.example.com', { trust: 'system' }),
  https('c.example.com', { trust: 'system', server_name: 'nas.lan' }),
  https('d.example.com', { trust: 'ca', ca_name: 'home' }),
  https('e.example.com', { trust: 'ca', pem: PEM }, { service_type: 'api' }),
  https('f.example.com', { trust: 'certificate', pem: PEM, fingerprint: 'ab' }),
  https('g.example.com', { trust: 'insecure' }, { service_type: 'spa' }),
  https('*.h.example.com', { trust: 'insecure', server_name: 'h.lan' }),
  { domain: 'i.example.com', service_type: 'api' },
  { domain: 'j.example.com', backend_scheme: 'h2c' },
]
const transportsIn = (text: string): Tree =>
  (parse(text) as { http: { serversTransports?: Tree } }).http.serversTransports ?? {}

describe('transports', () => {
  it('are as an oracle says, in order, and read back by Traefik’s JSON as well', async () => {
    const intent = anIntent(...ROWS)
    const rendering = renderRoutes(intent, SETTINGS)
    const { chunks, generation } = rendering
    const tree = parse(textOf(chunks), { uniqueKeys: true }) as { http: { middlewares: Tree } }
    expect(JSON.parse(await routesJson(rendering.objects()))).toEqual(tree)
    const names = Object.keys(transportsIn(textOf(chunks)))
    expect(names).toEqual(names.toSorted())
    expect(names).toHaveLength(7)
    delete tree.http.middlewares[`plumbline-generation-${generation}`]
    expect(tree).toEqual(treeOf(intent, SETTINGS))
  })

  it('hold certificates themselves and never a path', () => {
    const [first] = textOfRows(ROWS, SETTINGS).match(/rootCAs:\n.*\n/) ?? []
    expect(first).toBe(
      'rootCAs:\n        - "-----BEGIN CERTIFICATE-----\\u000aAQID\\u000a-----END CERTIFICATE-----\\u000a"\n',
    )
  })

  it('are missing where the authority is: nobody else is trusted in its place', () => {
    const text = textOfRows(ROWS, someSettings())
    expect(Object.keys(transportsIn(text))).not.toContain('plumbline-transport_d.example.com')
    expect(text).toContain('serversTransport: "plumbline-transport_d.example.com"')
  })

  it('belong to their domain: they go with it, and are counted like anything of it', () => {
    expect(domainOfName('plumbline-transport_g.example.com')).toBe('g.example.com')
    const desired = renderRoutes(anIntent(...ROWS), SETTINGS)
    const rest = textOf(excludeDomains(desired, new Set(['g.example.com'])).chunks)
    expect(rest).not.toContain('plumbline-transport_g.example.com')
    const one = renderRoutes(anIntent(https('g.example.com', { trust: 'insecure' })), SETTINGS)
    expect(textOf(excludeDomains(one, new Set(['g.example.com'])).chunks)).not.toContain('Transports')
    expect(routesCodec(SETTINGS).thaw(desired.chunks)).toMatchObject({ domains: desired.domains })
  })

  it('change nothing for records that say nothing of them', () => {
    const before = [{ domain: 'i.example.com', service_type: 'api' } as const, { domain: 'z.example.com' }]
    expect(textOfRows(before)).toBe(
      textOfRows(before.map((row) => ({ ...row, backend_scheme: 'http' as const }))),
    )
    expect(textOfRows([{ domain: 'a.example.com', backend_port: 443 }])).toBe(
      textOfRows([{ domain: 'a.example.com', backend_port: 443, backend_scheme: 'https' }]),
    )
  })
})
