/** Estates out and in: what is exported creates the same records again, and what is wrong is named with its place. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { yamlDocuments } from '../../../src/io/yaml/documents.ts'
import { type DomainFields, fieldsOf, SERVICE_TYPES, STATUSES } from '../../../src/model/domain/record.ts'
import { checkNew } from '../../../src/model/domain/rules.ts'
import { wantedStatus } from '../../../src/features/import/entry.ts'
import { exportEstate } from '../../../src/features/import/export.ts'
import { faultText, readEstate } from '../../../src/features/import/read.ts'
import { middlewareOffer } from '../../../src/features/routes/middlewares/catalogue.ts'
import { CONTEXT, SETTINGS } from './traefik/context.ts'
import { anyFields } from './arbitrary-fields.ts'
import { byTier } from '../../kit/tier.ts'

const SAMPLE = readFileSync(new URL('../../../fixtures/estates/sample.yaml', import.meta.url), 'utf8')

/** The entries of a document that must be good. */
function entriesOf(data: unknown) {
  const read = readEstate(data)
  if (!read.ok) throw new Error(read.faults.map(faultText).join('\n'))
  return read.entries
}

function createdFrom(input: object): DomainFields {
  const checked = checkNew({ ...input }, CONTEXT.offer)
  if (!checked.ok) throw new Error(JSON.stringify(checked.errors))
  return checked.fields
}

const estates = fc.uniqueArray(fc.record({ fields: anyFields, status: fc.constantFrom(...STATUSES) }), {
  selector: ({ fields }) => fields.domain,
  maxLength: 12,
})

describe('round trip', () => {
  test('an exported estate, written and read as YAML, creates equal fields and wants the same status', () => {
    fc.assert(
      fc.property(estates, (estate) => {
        const records = estate.map(({ fields, status }) => ({ ...fields, status }))
        const read = yamlDocuments.read(yamlDocuments.write(exportEstate(records)), { max_bytes: 4 << 20 })
        if (!read.ok) throw new Error(read.msg)
        const entries = entriesOf(read.data)
        const byDomain = records.toSorted((a, b) => (a.domain < b.domain ? -1 : 1))
        expect(entries.map(({ input }) => createdFrom(input))).toEqual(byDomain.map(fieldsOf))
        expect(entries.map(({ status }) => status)).toEqual(
          byDomain.map(({ status }) => wantedStatus(status)),
        )
      }),
      { numRuns: byTier(100, 500) },
    )
  })

  test('the order in which records are given does not show', () => {
    fc.assert(
      fc.property(estates, (estate) => {
        const records = estate.map(({ fields, status }) => ({ ...fields, status }))
        expect(exportEstate(records.toReversed())).toEqual(exportEstate(records))
      }),
      { numRuns: 100 },
    )
  })

  test('only what somebody decided is written', () => {
    const fields = createdFrom({
      domain: 'app.example.com',
      service_type: 'http',
      environment: 'production',
      backend_host: '10.0.0.1',
      backend_port: 80,
    })
    expect(yamlDocuments.write(exportEstate([{ ...fields, status: 'error' }]))).toBe(
      [
        'plumbline: 1',
        'domains:',
        '  - domain: app.example.com',
        '    service_type: http',
        '    environment: production',
        '    backend_host: "10.0.0.1"',
        '    backend_port: 80',
        '    status: active',
        '',
      ].join('\n'),
    )
  })

  test('an empty estate is a list of nothing', () => {
    expect(entriesOf(exportEstate([]))).toEqual([])
  })
})

describe('reading', () => {
  const entry = { domain: 'app.example.com', service_type: 'http', environment: 'production' }

  test.each<[string, unknown, readonly string[]]>([
    ['nothing', null, ['the document: must be a mapping with plumbline: 1 and a list of domains']],
    ['a list', [], ['the document: must be a mapping with plumbline: 1 and a list of domains']],
    ['no version', { domains: [] }, ['plumbline: must be 1, the version read here']],
    ['a later version', { plumbline: 2, domains: [] }, ['plumbline: must be 1, the version read here']],
    ['no domains', { plumbline: 1 }, ['domains: must be a list of domain entries']],
    [
      'an unknown key at the root',
      { plumbline: 1, domain: [], domains: [] },
      ['domain: is an unknown key. Did you mean "domains"?'],
    ],
    [
      'an entry that is a text',
      { plumbline: 1, domains: ['x'] },
      ['domains[0]: must be a mapping of fields'],
    ],
    [
      'an unknown field',
      { plumbline: 1, domains: [{ ...entry, backend_hots: 'x' }] },
      [
        'domains[0] (app.example.com), backend_hots: is an unknown field. Did you mean "backend_host" or "backend_port" or "backend_tls"?',
      ],
    ],
    [
      'missing fields',
      { plumbline: 1, domains: [{ domain: 'app.example.com' }] },
      [
        'domains[0] (app.example.com), service_type: is required',
        'domains[0] (app.example.com), environment: is required',
      ],
    ],
    [
      'a port in words',
      { plumbline: 1, domains: [{ ...entry, backend_port: '8080' }] },
      ['domains[0] (app.example.com), backend_port: must be a whole number from 1 to 65535'],
    ],
    [
      'a status that only the reconciler gives',
      { plumbline: 1, domains: [{ ...entry, status: 'error' }] },
      ['domains[0] (app.example.com), status: must be one of active, inactive, disabled.'],
    ],
    [
      'the same name in two spellings',
      { plumbline: 1, domains: [entry, { ...entry, domain: 'App.Example.COM.' }] },
      ['domains[1] (app.example.com), domain: stands already in domains[0]'],
    ],
    [
      'several faults at once',
      {
        plumbline: 1,
        domains: [
          { ...entry, ssl_enabled: 'yes' },
          { ...entry, domain: 'nas' },
        ],
      },
      [
        'domains[0] (app.example.com), ssl_enabled: must be true or false',
        'domains[1] (nas), domain: must be fully qualified, such as app.example.com',
      ],
    ],
  ])('names entry and field: %s', (_name, data, faults) => {
    const read = readEstate(data)
    expect(read.ok ? [] : read.faults.map(faultText)).toEqual(faults)
  })

  test('a status that is left out is inactive', () => {
    expect(entriesOf({ plumbline: 1, domains: [entry] })).toEqual([{ input: entry, status: 'inactive' }])
  })

  test('keys of the language are data', () => {
    const read = yamlDocuments.read(
      'plumbline: 1\ndomains:\n  - __proto__: { service_type: http }\n    constructor: 1\n',
    )
    const estate = readEstate(read.ok ? read.data : null)
    expect(estate.ok ? [] : estate.faults.map(({ loc }) => loc.at(-1))).toEqual([
      '__proto__',
      'constructor',
      'domain',
      'service_type',
      'environment',
    ])
  })

  test('never throws, whatever the data', () => {
    fc.assert(
      fc.property(
        fc.object({ key: fc.constantFrom('plumbline', 'domains', 'domain', 'status', 'tags', '__proto__') }),
        (data) => {
          readEstate(data)
          readEstate({ plumbline: 1, domains: [data] })
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('the sample estate', () => {
  const read = yamlDocuments.read(SAMPLE)
  const entries = entriesOf(read.ok ? read.data : null)
  const fields = entries.map(({ input }) => createdFrom(input))

  test('has every service type, both environments, a TCP route with TLS and one that is not active', () => {
    expect(new Set(fields.map(({ service_type }) => service_type))).toEqual(new Set(SERVICE_TYPES))
    expect(new Set(fields.map(({ environment }) => environment))).toEqual(
      new Set(['production', 'development']),
    )
    expect(fields.find(({ protocol }) => protocol === 'tcp')).toMatchObject({
      tcp_entrypoint: 'websecure',
      ssl_enabled: true,
    })
    expect(entries.filter(({ status }) => status === 'inactive')).toHaveLength(1)
  })

  test('raises no warning and uses reserved names only', () => {
    for (const { input } of entries) {
      expect(checkNew({ ...input }, CONTEXT.offer)).toMatchObject({ ok: true, warnings: [] })
      expect(input.domain).toMatch(/(?:^|\.)(?:home\.example|example\.com)$/)
    }
  })

  test('needs nothing that the oldest Traefik served here does not have', () => {
    const middlewares = middlewareOffer({ ...SETTINGS, traefik_version: [3, 0, 0] })
    for (const { input } of entries)
      expect(checkNew({ ...input }, { ...CONTEXT.offer, middlewares }).ok).toBe(true)
  })

  test('comes back from an export of itself', () => {
    const records = entries.map(({ status }, i) => ({ ...fields[i]!, status }))
    expect(entriesOf(exportEstate(records)).map(({ input }) => createdFrom(input))).toEqual(
      fields.toSorted((a, b) => (a.domain < b.domain ? -1 : 1)),
    )
  })
})
