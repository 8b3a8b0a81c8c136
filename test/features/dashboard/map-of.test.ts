/** What leads where, alone and in groups. */
import { describe, expect, it } from 'vitest'
import { MAX_IN_COLUMN, mapOf } from '../../../src/features/dashboard/map/map-of.ts'
import type { IntentRow } from '../../../src/model/intent.ts'
import { Best, rankOf } from '../../../src/features/dashboard/search/rank.ts'

const PARTS = { http_entrypoint: 'web', https_entrypoint: 'websecure' }

const row = (domain_id: number, fields: Readonly<Record<string, unknown>>): IntentRow =>
  ({
    domain_id,
    revision: 1,
    live: true,
    retired: false,
    fields: {
      domain: `app${domain_id}.example.com`,
      service_type: 'http',
      protocol: 'http',
      ssl_enabled: true,
      auth_required: false,
      tcp_entrypoint: null,
      backend_host: '10.0.0.5',
      backend_port: 8080,
      ...fields,
    },
  }) as unknown as IntentRow

describe('the map', () => {
  it('leads from the entry point to the machine, and names who may pass', () => {
    const { nodes, edges, grouped } = mapOf(
      [
        row(1, { auth_required: true }),
        row(2, { service_type: 'internal', ssl_enabled: false }),
        row(3, { protocol: 'tcp', service_type: 'tcp-proxy', tcp_entrypoint: 'ssh', backend_port: 22 }),
        row(4, { backend_host: null, backend_port: null }),
      ],
      PARTS,
    )
    expect(grouped).toBe(false)
    const labels = (kind: string) => nodes.flatMap((node) => (node.kind === kind ? node.label : []))
    expect(labels('entrypoint')).toEqual(['websecure', 'web', 'ssh'])
    expect(labels('policy')).toEqual(['sign_in', 'private', 'tcp', 'public'])
    expect(labels('service')).toEqual(['10.0.0.5:8080', '10.0.0.5:22'])
    expect(labels('machine')).toEqual(['10.0.0.5'])
    expect(edges).toContainEqual({ from: 'service:10.0.0.5:8080', to: 'machine:10.0.0.5', domains: 2 })
    expect(nodes.find(({ kind }) => kind === 'machine')).toMatchObject({ domains: 3, domain_ids: [1, 2, 3] })
    expect(edges.filter(({ from }) => from === 'policy:public')).toEqual([])
  })

  it('has one node for what belongs together where there are too many, and loses none', () => {
    const rows = Array.from({ length: 1000 }, (_, at) =>
      row(at + 1, {
        domain: `a${at}.zone${at % 300}.example`,
        backend_host: `10.${at % 4}.${at % 250}.${at % 9}`,
      }),
    )
    const { nodes, edges, grouped } = mapOf(rows, PARTS)
    expect(grouped).toBe(true)
    for (const kind of ['entrypoint', 'domain', 'policy', 'service', 'machine']) {
      const column = nodes.filter((node) => node.kind === kind)
      expect(column.length).toBeLessThanOrEqual(MAX_IN_COLUMN)
      expect(column.reduce((all, { domains }) => all + domains, 0)).toBe(1000)
    }
    const domains = nodes.filter(({ kind }) => kind === 'domain')
    expect(domains.reduce((all, { stands_for }) => all + stands_for, 0)).toBe(1000)
    expect(domains.map(({ label }) => label)).toContain('others')
    const ids = new Set(nodes.map(({ id }) => id))
    expect(edges.every(({ from, to }) => ids.has(from) && ids.has(to))).toBe(true)
    expect(nodes.find(({ kind }) => kind === 'policy')!.domain_ids).toBeNull()
  })
})

describe('a search', () => {
  it('puts the word itself before what begins with it, a part of it, and the rest', () => {
    const ranks = ['app', 'app.example', 'my.app.example', 'wrapped', 'other'].map((text) =>
      rankOf(text, 'app'),
    )
    expect(ranks).toEqual([3, 2, 1, 0, null])
    const found = new Best<number>(3)
    for (const [at, rank] of [0, 3, null, 1, 0, 0, 0].entries()) found.add(rank, () => at)
    expect(found.items).toEqual([1, 3, 0])
  })
})
