/** The store contract: single domain records. */
import { expect, test } from 'vitest'
import type { DomainFields } from '../../../src/model/domain/record.ts'
import { plainFields, tcpFields } from '../protocol-rules.ts'
import { eachStore, failureOf, insert, insertLive, type OpenStore } from './opened.ts'
import { named } from './samples.ts'

const FULL: DomainFields = {
  domain: 'xn--bcher-kva.example.com',
  service_type: 'spa',
  environment: 'development',
  backend_host: 'fd00::5',
  backend_port: 65535,
  backend_scheme: 'https',
  backend_tls: { trust: 'ca', ca_name: 'home', server_name: 'nas.lan' },
  protocol: 'http',
  tcp_entrypoint: 'mqtt',
  cors_enabled: true,
  cors_origin: 'https://app.example.com',
  default_path: '/app',
  auth_required: false,
  ddns_enabled: true,
  ssl_enabled: false,
  health_check_path: '/health',
  middleware_config: { extra_middlewares: ['compress', 'rate-limit'] },
  static_ip: '203.0.113.7',
  dns_ttl: 60,
  dns_proxied: true,
  tags: ['b', 'a'],
  note: `Bücher 📚 it's "quoted" \\ %s`,
}

export function domainsContract(open: OpenStore): void {
  const opened = eachStore(open)

  test('a new record is inactive, never activated and at revision 1', async () => {
    const record = await insert(opened.store, plainFields, 1234)
    expect(record).toEqual({
      ...plainFields,
      id: record.id,
      status: 'inactive',
      status_reason: null,
      revision: 1,
      created_at: 1234,
      updated_at: 1234,
      activated_at: null,
    })
  })

  test('every field comes back as it was saved, also from a store opened again', async () => {
    const record = await insert(opened.store, FULL)
    expect(record).toMatchObject(FULL)
    expect(await opened.store.domain(record.id)).toEqual(record)
    const again = await opened.reopen()
    expect(await again.domain(record.id)).toEqual(record)
    expect(await again.domainByName(FULL.domain)).toEqual(record)
  })

  test('what is not there is null', async () => {
    expect(await opened.store.domain(1)).toBeNull()
    expect(await opened.store.domain(Number.NaN)).toBeNull()
    expect(await opened.store.domain(2 ** 60)).toBeNull()
    expect(await opened.store.domainByName('app.example.com')).toBeNull()
  })

  test('a revision writes the fields, counts up and leaves the rest', async () => {
    const before = await insertLive(opened.store, plainFields)
    const fields = named('new.example.com', { backend_port: 9000 })
    const after = await opened.store.write((tx) => tx.reviseDomain(before.id, { fields }, 5000))
    expect(after).toEqual({ ...before, ...fields, revision: before.revision + 1, updated_at: 5000 })
    expect(await opened.store.domain(before.id)).toEqual(after)
  })

  test('a new status is intent too and takes the reason of an old error with it', async () => {
    const { id } = await insertLive(opened.store, plainFields)
    await opened.store.write((tx) => tx.setDomainStatus(id, 'error', 'refused'))
    const record = await opened.store.write((tx) => tx.reviseDomain(id, { status: 'inactive' }, 5000))
    expect(record).toMatchObject({ status: 'inactive', status_reason: null, revision: 3, activated_at: 1000 })
  })

  test('a verdict changes status and reason, but neither revision nor time', async () => {
    const before = await insertLive(opened.store, plainFields)
    await opened.store.write((tx) => tx.setDomainStatus(before.id, 'error', 'no such zone'))
    expect(await opened.store.domain(before.id)).toEqual({
      ...before,
      status: 'error',
      status_reason: 'no such zone',
    })
  })

  test('a record is known not to be served until its status is written again, or it is deleted', async () => {
    const [stays, revised, recovered, deleted] = [
      await insertLive(opened.store, named('a.example.com')),
      await insertLive(opened.store, named('b.example.com')),
      await insertLive(opened.store, named('c.example.com')),
      await insertLive(opened.store, named('d.example.com')),
    ].map(({ id }) => id) as [number, number, number, number]
    await opened.store.write(async (tx) => {
      for (const id of [stays, revised, recovered, deleted]) {
        await tx.setDomainStatus(id, 'error', 'in any words')
        await tx.markUnserved(id)
        await tx.markUnserved(id)
      }
    })
    expect(await opened.store.unservedRecords()).toEqual(new Set([stays, revised, recovered, deleted]))
    await opened.store.write(async (tx) => {
      await tx.reviseDomain(stays, { fields: named('e.example.com') }, 5000)
      await tx.reviseDomain(revised, { status: 'inactive' }, 5000)
      await tx.setDomainStatus(recovered, 'error', 'another reason')
      await tx.deleteDomain(deleted)
    })
    expect(await (await opened.reopen()).unservedRecords()).toEqual(new Set([stays]))
  })

  test('a verdict on a record that is gone says nothing, a revision of it is refused', async () => {
    expect(await opened.store.write((tx) => tx.setDomainStatus(7, 'error', 'late'))).toBe(false)
    const failure = await failureOf(
      opened.store.write((tx) => tx.reviseDomain(7, { fields: plainFields }, 1)),
      'not_found',
    )
    expect(failure.message).toBe('There is no domain 7.')
    expect((await opened.store.intent('working')).rows).toEqual([])
  })

  test('a deleted record is gone, its name is free, its id is never used again', async () => {
    const first = await insert(opened.store, plainFields)
    await opened.store.write((tx) => tx.deleteDomain(first.id))
    expect(await opened.store.domain(first.id)).toBeNull()
    const store = await opened.reopen()
    const second = await insert(store, plainFields)
    expect(second.id).toBeGreaterThan(first.id)
  })

  test('a name that is taken is refused, naming its holder, and nothing is written', async () => {
    const holder = await insert(opened.store, plainFields)
    const other = await insert(opened.store, named('other.example.com'))
    const attempts = [
      opened.store.write((tx) => tx.insertDomain(plainFields, 1)),
      opened.store.write((tx) => tx.reviseDomain(other.id, { fields: plainFields }, 1)),
    ]
    for (const attempt of attempts) {
      const failure = await failureOf(attempt, 'name_taken')
      expect(failure.message).toBe(
        `The name app.example.com is taken by domain ${holder.id}, which is ${holder.status}.`,
      )
      expect(failure.details.facts).toEqual({ domain_id: holder.id })
    }
    expect(await opened.store.domain(other.id)).toEqual(other)
    expect((await opened.store.domains({ sort: 'id', limit: 10 })).total).toBe(2)
  })

  const plain: DomainFields = { ...tcpFields, domain: 'db.example.com', ssl_enabled: false }

  test('an entrypoint holds one TCP route without TLS; the second is refused, naming the first', async () => {
    const holder = await insert(opened.store, plain)
    const attempt = insert(opened.store, { ...plain, domain: 'db2.example.com' })
    const failure = await failureOf(attempt, 'entrypoint_taken')
    expect(failure.message).toContain(
      `The entrypoint postgres is taken by domain ${holder.id} (db.example.com)`,
    )
  })

  test.each<[string, Partial<DomainFields>]>([
    ['with TLS', { ssl_enabled: true }],
    ['externally managed', { service_type: 'manual' }],
    ['on another entrypoint', { tcp_entrypoint: 'mysql' }],
    ['over HTTP', { protocol: 'http' }],
  ])('a second TCP route %s shares the entrypoint', async (_, change) => {
    await insert(opened.store, plain)
    await expect(
      insert(opened.store, { ...plain, domain: 'db2.example.com', ...change }),
    ).resolves.toBeDefined()
  })

  test('turning TLS off runs into the holder of the entrypoint, and a disabled holder gives it up', async () => {
    const holder = await insert(opened.store, plain)
    const second = await insert(opened.store, { ...plain, domain: 'db2.example.com', ssl_enabled: true })
    const turnOff = () =>
      opened.store.write((tx) =>
        tx.reviseDomain(second.id, { fields: { ...plain, domain: 'db2.example.com' } }, 1),
      )
    await failureOf(turnOff(), 'entrypoint_taken')
    await opened.store.write((tx) => tx.reviseDomain(holder.id, { status: 'disabled' }, 1))
    expect(await turnOff()).toMatchObject({ ssl_enabled: false, revision: 2 })
  })

  test('counts are per status, type, environment, protocol and access', async () => {
    await insert(opened.store, named('a.example.com'))
    await insert(opened.store, named('b.example.com'))
    await insertLive(opened.store, named('c.example.com', { auth_required: false }))
    const counts = await opened.store.domainCounts()
    const common = { service_type: 'http', environment: 'production', protocol: 'http' }
    expect(counts).toHaveLength(2)
    expect(counts).toContainEqual({ ...common, status: 'inactive', auth_required: true, count: 2 })
    expect(counts).toContainEqual({ ...common, status: 'active', auth_required: false, count: 1 })
  })
}
