/** Random estates: small, valid by the record's own rules, and crowded in what the renderer has to decide. */
import fc from 'fast-check'
import { checkNew } from '../../../../src/model/domain/rules.ts'
import { type DomainFields, SERVICE_TYPES } from '../../../../src/model/domain/record.ts'
import type { RoutesSettings, Version } from '../../../../src/features/routes/render/settings.ts'
import { someFields } from '../../../fixtures.ts'
import { offerOf, someSettings } from './settings.ts'

const label = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,6}[a-z0-9])?$/)
const domain = fc
  .tuple(
    fc.boolean(),
    fc.array(label, { minLength: 1, maxLength: 2 }),
    fc.constantFrom('example.com', 'home.arpa', 'xn--bcher-kva.example'),
  )
  .map(([wild, labels, zone]) => `${wild && labels.length === 1 ? '*' : labels.join('.')}.${zone}`)
const path = fc
  .stringMatching(/^\/[A-Za-z0-9._~-]{1,8}(?:\/[A-Za-z0-9_~-]{1,5})?\/?$/)
  .filter((text) => !/\/\.{1,2}(?:\/|$)/.test(text))
const origin = fc.constantFrom(
  'https://a.example.org',
  'http://localhost:3000',
  'https://xn--bcher-kva.example',
)
const backend = fc.constantFrom(
  '10.0.0.1',
  'fd00::7',
  'grafana',
  'my_app',
  'up.stream.example',
  '127.0.0.1',
  '::1',
)

const version = fc.constantFrom<Version>([3, 0, 0], [3, 6, 8], [3, 6, 9], [3, 7, 0], [3, 12, 1])

const settingsArbitrary: fc.Arbitrary<RoutesSettings> = fc
  .record({
    traefik_version: version,
    cert_resolver: fc.constantFrom('letsencrypt', null, 'x<domain>'),
    https_port: fc.constantFrom(443, 443, 8443),
  })
  .map(someSettings)

/** Of some of its records. */
const openPaths = fc.subarray(['/healthz', '/public/', '/a.b/c', '/'])

const wish = (names: readonly string[]) =>
  fc.record({
    domain,
    service_type: fc.constantFrom(...SERVICE_TYPES),
    backend_host: backend,
    backend_port: fc.constantFrom(1, 80, 443, 8080, 65535),
    protocol: fc.constantFrom('http' as const, 'http' as const, 'tcp' as const),
    tcp_entrypoint: fc.constantFrom('postgres', 'mqtt'),
    cors_enabled: fc.boolean(),
    cors_origin: fc.option(origin),
    default_path: fc.option(path),
    auth_required: fc.boolean(),
    ssl_enabled: fc.boolean(),
    health_check_path: fc.option(path),
    middleware_config: fc
      .uniqueArray(fc.constantFrom(...names), { maxLength: 3 })
      .map((extra_middlewares) => ({ extra_middlewares })),
  })

export interface Estate {
  readonly settings: RoutesSettings
  readonly records: readonly { readonly fields: DomainFields; readonly live: boolean }[]
}

/** Up to six records of distinct domains, each as the rules let it be saved, with settings that go with them. */
export const estateArbitrary: fc.Arbitrary<Estate> = settingsArbitrary.chain((settings) => {
  const offer = offerOf(settings)
  return fc
    .uniqueArray(fc.tuple(wish([...offer.middlewares.keys()]), fc.integer({ min: 0, max: 9 })), {
      maxLength: 6,
      selector: ([{ domain: name }]) => name,
    })
    .chain((wishes) => fc.tuple(fc.constant(wishes), fc.array(openPaths, { minLength: 6, maxLength: 6 })))
    .map(([wishes, open]) => ({
      settings: {
        ...settings,
        open_paths: new Map(wishes.map(([{ domain: name }], i) => [name, open[i]!])),
      },
      records: wishes.map(([values, die]) => ({ fields: savable(values, offer), live: die > 0 })),
    }))
})

/** The nearest fields that the rules accept: what they refuse for this kind of record is left out. */
function savable(values: Partial<DomainFields>, offer: ReturnType<typeof offerOf>): DomainFields {
  const isTcp = values.protocol === 'tcp' || values.service_type === 'tcp-proxy'
  const fit = values.middleware_config!.extra_middlewares.filter(
    (name) => offer.middlewares.get(name)!.unfit_for[values.service_type!] === undefined,
  )
  const wanted = someFields({
    ...values,
    protocol: isTcp ? 'tcp' : 'http',
    ...(isTcp ? { cors_enabled: false, default_path: null } : {}),
    middleware_config: { extra_middlewares: isTcp ? [] : fit },
  })
  const checked = checkNew({ ...wanted }, offer)
  if (!checked.ok) throw new Error(JSON.stringify(checked.errors))
  return checked.fields
}
