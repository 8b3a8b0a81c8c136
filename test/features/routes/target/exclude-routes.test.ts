/** A rendering that serves some names no more: their hosts lead nowhere, nothing else is touched, and no map is empty. */
import fc from 'fast-check'
import { parse } from 'yaml'
import { expect, it } from 'vitest'
import { renderRoutes } from '../../../../src/features/routes/target/desire.ts'
import { openRouters } from '../../../../src/features/routes/opens/open-routers.ts'
import { withoutClosed } from '../../../../src/features/routes/opens/opened.ts'
import {
  type ExcludedRoute,
  excludingRoutes,
  excludeDomains,
} from '../../../../src/features/routes/opens/exclude-routes.ts'
import { rowOf } from '../../sso/target/rows.ts'
import { someSettings } from './settings.ts'

const text = (rows: readonly ReturnType<typeof rowOf>[]) => renderRoutes({ rows }, someSettings())
const read = (chunks: readonly Uint8Array[]): unknown => parse(Buffer.concat(chunks).toString())

const POOL = [
  rowOf({ domain: 'a.example.com' }),
  rowOf({
    domain: 'b.example.com',
    service_type: 'spa',
    cors_enabled: true,
    cors_origin: 'https://x.example',
  }),
  rowOf({ domain: 'c.example.com', service_type: 'api', default_path: '/app' }),
  rowOf({ domain: '*.example.com', ssl_enabled: true }),
  rowOf({ domain: 'ab.example.com', auth_required: false }),
]

const parted = (routers: Record<string, unknown> = {}, names: ReadonlySet<string>) => {
  const isOut = ([name]: [string, unknown]) => names.has(name.slice(name.indexOf('_') + 1))
  const all = Object.entries(routers)
  return [
    Object.fromEntries(all.filter((one) => !isOut(one))),
    Object.fromEntries(all.filter(isOut)),
  ] as const
}

it('what is left is what the other records alone would give, but for definitions that nobody uses now', () => {
  fc.assert(
    fc.property(fc.subarray(POOL, { minLength: 1 }), fc.subarray(POOL), (rows, out) => {
      const names = new Set(out.map(({ fields }) => fields.domain))
      const { chunks } = excludeDomains(text(rows), names)
      const document = read(chunks) as { http: Record<string, Record<string, unknown>> }
      const alone = read(
        text(rows.filter(({ fields }) => !names.has(fields.domain))).chunks,
      ) as typeof document
      const [left, ends] = parted(document.http['routers'], names)
      expect(left).toEqual(alone.http['routers'] ?? {})
      for (const [name, router] of Object.entries(ends))
        expect([name, router]).toMatchObject([
          expect.stringMatching(/^plumbline-(?:site|redirect)_/),
          { service: 'noop@internal' },
        ])
      const whole = read(text(rows).chunks) as typeof document
      for (const { fields } of rows.filter((row) => names.has(row.fields.domain)))
        expect(ends[`plumbline-site_${fields.domain}`]).toEqual({
          ...(whole.http['routers']![`plumbline-site_${fields.domain}`] as object),
          service: 'noop@internal',
          middlewares: fields.auth_required ? ['plumbline-sso'] : undefined,
        })
      expect(document.http['services']).toEqual(alone.http['services'])
      expect(document.http['middlewares']).toMatchObject(
        Object.fromEntries(
          Object.entries(alone.http['middlewares'] ?? {}).filter(
            ([name]) => !name.startsWith('plumbline-generation-'),
          ),
        ),
      )
      for (const section of Object.values(document.http)) expect(Object.keys(section)).not.toEqual([])
    }),
    { numRuns: 100 },
  )
})

it('without names to leave out the bytes are the same', () => {
  const whole = text(POOL)
  expect(Buffer.concat(excludeDomains(whole, new Set()).chunks)).toEqual(Buffer.concat(whole.chunks))
})

it.each<
  [string, Readonly<Record<string, readonly string[]>>, Partial<Parameters<typeof someSettings>[0]>, number]
>([
  ['the same settings', { '*.example.com': ['/a', '/b/'], 'b.example.com': ['/c'] }, {}, 0],
  ['one path more', { '*.example.com': ['/0', '/a', '/b/'], 'b.example.com': ['/c', '/d'] }, {}, 0],
  ['one path less', { '*.example.com': ['/a'], 'b.example.com': ['/c'] }, {}, 1],
  ['a longer path in its place', { '*.example.com': ['/a', '/b/'], 'b.example.com': ['/c/d'] }, {}, 3],
  ['no path', {}, {}, 4],
  [
    'a newer proxy',
    { '*.example.com': ['/a', '/b/'], 'b.example.com': ['/c'] },
    { traefik_version: [3, 7, 9] },
    0,
  ],
])('routers of open paths that today’s settings do not open are cut: %s', (_, open, over, cut) => {
  const settings = (paths: typeof open, more = {}) =>
    someSettings({ open_paths: new Map(Object.entries(paths)), ...more })
  const before = renderRoutes(
    { rows: [rowOf({ domain: '*.example.com' }), rowOf({ domain: 'b.example.com', service_type: 'spa' })] },
    settings({ '*.example.com': ['/a', '/b/'], 'b.example.com': ['/c'] }),
  )
  const after = withoutClosed(before, openRouters(settings(open, over)))
  const names = ({ chunks }: typeof before) =>
    Object.keys((read(chunks) as { http: { routers: object } }).http.routers)
  expect(names(before).length - names(after).length).toBe(cut)
  expect(after.http_routers).toBe(names(after).length)
  expect(names(before).filter((name) => !name.includes('-open'))).toEqual(
    names(after).filter((name) => !name.includes('-open')),
  )
  if (cut === 0) expect(after).toBe(before)
})

const OUT: ExcludedRoute = { domain: 'a.example.com', domain_id: 1, why: 'It stands open.' }

it.each<[string, readonly ExcludedRoute[], readonly ExcludedRoute[], boolean]>([
  ['kept out throughout', [OUT], [OUT], true],
  ['to be kept out since it was found', [], [OUT], true],
  ['let in since it was found', [OUT], [], true],
  ['never kept out', [], [], false],
])('what is written leaves out who is %s, whoever looked meanwhile', async (_, found, now, is_out) => {
  let excluded = found
  const written: string[] = []
  const signal = new AbortController().signal
  const target = excludingRoutes(
    {
      observe: () => Promise.resolve({ known: true, state: { kind: 'absent' }, at: 0 }),
      diff: () => [{ key: 'file' }],
      apply: (_differences: unknown, { chunks }: { readonly chunks: readonly Uint8Array[] }) => {
        written.push(Buffer.concat(chunks).toString())
        return Promise.resolve([])
      },
    } as never,
    { excluded: () => Promise.resolve(excluded), watch: () => ({ close: () => undefined }) },
    openRouters(someSettings()),
  )
  const look = async () => {
    const seen = await target.observe(signal, {} as never)
    return seen.known ? seen.state : expect.fail()
  }
  const desired = text(POOL)
  const differences = target.diff(desired, await look())
  excluded = []
  await look()
  excluded = now
  await target.apply(differences, desired, { signal, evidence: false })
  expect(written).toHaveLength(1)
  const { routers } = (read([Buffer.from(written[0]!)]) as { http: { routers: object } }).http
  expect(routers).toMatchObject({
    'plumbline-site_a.example.com': {
      service: is_out ? 'noop@internal' : 'plumbline-site_a.example.com',
    },
  })
})
