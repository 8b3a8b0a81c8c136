/** The store contract: pages of domain records. */
import { beforeEach, expect, test } from 'vitest'
import type { DomainRecord } from '../../../src/model/domain/record.ts'
import { DOMAIN_SORTS } from '../../../src/model/domain/record.ts'
import type { DomainQuery } from '../../../src/ports/store.ts'
import { eachStore, failureOf, type OpenStore } from './opened.ts'
import { named } from './samples.ts'

const NAMES = ['b', 'a', 'g', 'd', 'f', 'c', 'e', 'q_q', 'q%q', 'qzq'].map((name) => `${name}.example.com`)

const MANUAL = { service_type: 'manual', backend_host: null, backend_port: null } as const
const VARIED: readonly Parameters<typeof named>[1][] = [
  { backend_host: 'fd00::5', backend_port: 8080, tags: ['media', 'a"b'] },
  MANUAL,
  { auth_required: false, tags: ['mediatheque'] },
  MANUAL,
]

export function pagesContract(open: OpenStore): void {
  const opened = eachStore(open)
  let all: DomainRecord[]
  beforeEach(async () => {
    // Times come in pairs, so that the order of equals is decided by the id.
    all = await opened.store.write(async (tx) => {
      const records: DomainRecord[] = []
      for (const [i, name] of NAMES.entries())
        records.push(await tx.insertDomain(named(name, VARIED[i]), i >> 1))
      return records
    })
  })

  async function walk(query: Omit<DomainQuery, 'cursor'>): Promise<DomainRecord[][]> {
    const pages: DomainRecord[][] = []
    let cursor: string | undefined
    do {
      const page = await opened.store.domains(cursor === undefined ? query : { ...query, cursor })
      pages.push([...page.records])
      cursor = page.next ?? undefined
    } while (cursor !== undefined && pages.length < 100)
    return pages
  }

  test.each(DOMAIN_SORTS)('by %s every record comes exactly once and in order', async (sort) => {
    const column = sort.replace('-', '') as 'domain' | 'id' | 'updated_at' | 'backend_host'
    const sign = sort.startsWith('-') ? -1 : 1
    const valueOf = (record: DomainRecord) => record[column] ?? ''
    const wanted = all.toSorted(
      (a, b) => sign * (valueOf(a) < valueOf(b) ? -1 : valueOf(a) > valueOf(b) ? 1 : a.id - b.id),
    )
    const pages = await walk({ sort, limit: 3 })
    expect(pages.map((page) => page.length)).toEqual([3, 3, 3, 1])
    expect(pages.flat()).toEqual(wanted)
  })

  test.each<readonly [string, Partial<DomainQuery>, readonly string[]]>([
    ['a tag, whole', { tag: 'media' }, ['b']],
    ['a tag with a quote', { tag: 'a"b' }, ['b']],
    ['a type', { service_type: 'manual' }, ['a', 'd']],
    ['no sign-in', { auth_required: false }, ['g']],
    ['a zone, whose name may hold a wildcard', { zone: 'q_q.example.com' }, ['q_q']],
    ['a zone in capitals', { zone: 'EXAMPLE.com', tag: 'media' }, ['b']],
    ['no zone by its end', { zone: 'xample.com' }, []],
    ['a host', { target: 'fd00::5' }, ['b']],
    ['a host and its port', { target: '[fd00::5]:8080' }, ['b']],
    ['another port', { target: '[fd00::5]:8081' }, []],
    ['ids', { ids: [1, 3, 99] }, ['b', 'g']],
    ['none of no ids', { ids: [] }, []],
    ['all but some ids', { except: [1, 2, 3, 4, 5, 6, 7, 8, 9] }, ['qzq']],
  ])('%s is found, and counted', async (_name, query, names) => {
    const page = await opened.store.domains({ sort: 'id', limit: 10, ...query })
    expect(page.records.map(({ domain }) => domain.replace('.example.com', ''))).toEqual(names)
    expect(page.total).toBe(names.length)
  })

  test('the last full page has no next, and the total counts what is on no page', async () => {
    const page = await opened.store.domains({ sort: 'id', limit: 10 })
    expect(page).toMatchObject({ next: null, total: 10 })
    expect(await opened.store.domains({ sort: 'id', limit: 2 })).toMatchObject({ total: 10 })
  })

  test('a record that comes or goes between pages moves no other one', async () => {
    const first = await opened.store.domains({ sort: 'domain', limit: 3 })
    await opened.store.write(async (tx) => {
      await tx.deleteDomain(first.records.at(-1)!.id)
      await tx.insertDomain(named('aa.example.com'), 1)
    })
    const second = await opened.store.domains({ sort: 'domain', limit: 3, cursor: first.next! })
    expect(second.records.map((record) => record.domain[0])).toEqual(['d', 'e', 'f'])
  })

  test('a status narrows pages and total', async () => {
    const { id } = all[4]!
    await opened.store.write((tx) => tx.reviseDomain(id, { status: 'active' }, 1))
    const page = await opened.store.domains({ sort: 'id', limit: 10, status: 'active' })
    expect(page).toMatchObject({ total: 1, records: [{ id }] })
  })

  test.each<[string, string[]]>([
    ['q_q', ['q_q']],
    ['q%q', ['q%q']],
    ['Q', ['q_q', 'q%q', 'qzq']],
    ['qzq.EXAMPLE', ['qzq']],
    ['\\', []],
    ['%', ['q%q']],
    ['nowhere', []],
    ['qz\0', []],
    ['q'.repeat(60_000), []],
    ["' OR 1=1 --", []],
  ])('q=%j finds the names that hold it, any case, without wildcards', async (q, names) => {
    const page = await opened.store.domains({ sort: 'id', limit: 10, q })
    expect(page.records.map((record) => record.domain)).toEqual(names.map((name) => `${name}.example.com`))
    expect(page.total).toBe(names.length)
  })

  test('q and status keep their meaning over a cursor', async () => {
    const pages = await walk({ sort: '-domain', limit: 1, q: 'q' })
    expect(pages.flat().map((record) => record.domain[1])).toEqual(['z', '_', '%'])
  })

  const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  test.each<[string, string]>([
    ['empty', ''],
    ['no base64url', '!!!!'],
    ['no JSON', Buffer.from('{').toString('base64url')],
    ['no list', text({ sort: 'domain' })],
    ['another sort', text(['id', 1, 1])],
    ['a value of another type', text(['domain', 5, 1])],
    ['an object for a value', text(['domain', { a: 1 }, 1])],
    ['half an id', text(['domain', 'a', 1.5])],
    ['a list too long', text(['domain', 'a', 1, 1])],
    ['padding', `${text(['domain', 'a', 1])}=`],
    ['another spelling', Buffer.from('["domain", "a", 1]').toString('base64url')],
    ['very long', 'a'.repeat(100_000)],
  ])('a cursor that is broken or foreign (%s) is refused at ["query","cursor"]', async (_, cursor) => {
    const failure = await failureOf(
      opened.store.domains({ sort: 'domain', limit: 3, cursor }),
      'validation_failed',
    )
    expect(failure.details.errors).toMatchObject([{ loc: ['query', 'cursor'] }])
  })
}
