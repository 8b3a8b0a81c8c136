/** Random fields of records that the rules take, with texts that are awkward in YAML. */
import fc from 'fast-check'
import { type DomainFields, ENVIRONMENTS, SERVICE_TYPES } from '../../../src/model/domain/record.ts'
import { checkNew } from '../../../src/model/domain/rules.ts'
import { MAX_NOTE } from '../../../src/model/domain/grammar.ts'
import { textFault } from '../../../src/model/text/text.ts'
import { CONTEXT } from './traefik/context.ts'

const AWKWARD = [
  'no',
  'on',
  'null',
  '~',
  '1e3',
  '010',
  '1_000',
  '22:30',
  '2024-01-02',
  '0x1f',
  '.5',
  'a: b',
  '- a',
  '# x',
  "it's",
  '"',
  '{a}',
  '&a',
  '*a',
  '!x',
  '',
  ' ',
  ' x ',
  '%',
  '@',
  '\\',
  'ä€𝄞',
  '\u00a0',
  '=',
  '<<',
]
const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/)
const domain = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.oneof(label, fc.constantFrom('no', 'on', '1e3', '0x1f', '010')), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([wildcard, labels]) => `${wildcard ? '*.' : ''}${labels.join('.')}.example`)
const note = fc
  .oneof(
    fc.constantFrom(...AWKWARD),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: 'binary', maxLength: 30 }),
  )
  .filter((text) => textFault(text, MAX_NOTE) === null)
const path = fc.stringMatching(/^\/[A-Za-z0-9._~-]{1,12}$/).filter((text) => !['/.', '/..'].includes(text))
const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const address = fc.constantFrom(
  '10.0.0.1',
  '192.168.1.20',
  'fd00::1',
  'backend',
  'a.b.example',
  'no',
  '1e3.example',
  '_x',
)

const input = fc.record(
  {
    domain,
    service_type: fc.constantFrom(...SERVICE_TYPES),
    environment: fc.constantFrom(...ENVIRONMENTS),
    backend_host: nullable(address),
    backend_port: nullable(fc.integer({ min: 1, max: 65535 })),
    protocol: fc.constantFrom('http', 'tcp'),
    tcp_entrypoint: nullable(fc.constantFrom('websecure', 'mqtt')),
    cors_enabled: fc.boolean(),
    cors_origin: nullable(fc.constantFrom('https://app.example', 'http://a.example:8080')),
    default_path: nullable(path),
    auth_required: fc.boolean(),
    ddns_enabled: fc.boolean(),
    ssl_enabled: fc.boolean(),
    health_check_path: nullable(path),
    middleware_config: fc
      .uniqueArray(fc.constantFrom('rate-limit', 'no-index', 'frame-deny'), { maxLength: 3 })
      .map((extra_middlewares) => ({ extra_middlewares })),
    dns_ttl: nullable(fc.constantFrom(30, 3600, 86_400)),
    dns_proxied: nullable(fc.boolean()),
    static_ip: nullable(fc.constantFrom('203.0.113.9', '2001:db8::9')),
    tags: fc.uniqueArray(fc.oneof(label, fc.constantFrom('no', '010', '1e3')), { maxLength: 4 }),
    note: nullable(note),
  },
  { requiredKeys: ['domain', 'service_type', 'environment', 'backend_host', 'backend_port'] },
)

/** Fields as they stand in a record. */
export const anyFields: fc.Arbitrary<DomainFields> = input
  .map((values) => checkNew(values, CONTEXT.offer))
  .filter((checked) => checked.ok)
  .map(({ fields }) => fields)
