/** A hash confirms the deed that it was shown for: whatever would come to something else of a record, or of a mode, is refused with it. */
import { describe, expect, it } from 'vitest'
import type { Plan } from '../../src/model/plan.ts'
import { APP, create, createActive, openTestHouse, type TestHouse } from './test-house.ts'

interface Deed {
  readonly method: string
  readonly path: string
  readonly body?: object
}

const inModes = (scope: string, body: object): Deed => ({ method: 'PUT', path: `/api/modes/${scope}`, body })
const soon = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

function deedsOn(id: number) {
  const of = (verb: string): Deed => ({ method: 'POST', path: `/api/domains/${id}/${verb}` })
  const many = (action: string): Deed => ({
    method: 'POST',
    path: '/api/domains/changes',
    body: { records: [{ id }], action },
  })
  const estate = (body: object): Deed => ({ method: 'POST', path: '/api/estate', body })
  const estateIn = (status: string) => estate({ domains: [{ ...APP, status }] })
  return {
    on: of('activate'),
    off: of('deactivate'),
    disable: of('disable'),
    rm: { method: 'DELETE', path: `/api/domains/${id}` },
    deploy: of('deploy'),
    discard: of('discard'),
    set: { method: 'PUT', path: `/api/domains/${id}`, body: { note: 'by a set' } },
    undo: { method: 'POST', path: '/api/releases/1/restore', body: { domains: [id] } },
    restore: { method: 'POST', path: '/api/releases/1/restore' },
    'restore newest': { method: 'POST', path: '/api/releases/2/restore' },
    'many off': many('deactivate'),
    'many disable': many('disable'),
    'many rm': many('delete'),
    'estate off': estateIn('inactive'),
    'estate disable': estateIn('disabled'),
    'estate rm': estate({ domains: [], deletes: [APP.domain] }),
    'deploy all': { method: 'POST', path: '/api/deploy-all' },
    reconcile: { method: 'POST', path: '/api/reconcile' },
    'mode repair': inModes('*', { mode: 'repair' }),
    'mode observe': inModes('*', { mode: 'observe' }),
    'mode observe routes': inModes('routes', { mode: 'observe' }),
    'mode observe a while': inModes('*', { mode: 'observe', expires_at: soon(1) }),
    'mode suspend': inModes('*', { mode: 'suspend', reason: 'moving', expires_at: soon(1) }),
  } satisfies Readonly<Record<string, Deed>>
}
type Name = keyof ReturnType<typeof deedsOn>

async function hashOf({ call }: TestHouse, { method, path, body }: Deed): Promise<string | null> {
  const answer = await call(method, `${path}?dry_run=true`, { body })
  return (answer.body['plan'] as unknown as Plan | undefined)?.hash ?? null
}

/** Names of the deeds that share a hash, in the order of the deeds. Without those that are refused. */
async function alike(at: TestHouse, id: number): Promise<readonly string[]> {
  const byHash = new Map<string, string[]>()
  for (const [name, deed] of Object.entries(deedsOn(id))) {
    const hash = await hashOf(at, deed)
    if (hash !== null) byHash.set(hash, [...(byHash.get(hash) ?? []), name])
  }
  return [...byHash.values()].filter(({ length }) => length > 1).map((names) => names.join(', '))
}

type State = readonly [
  name: string,
  come: (at: TestHouse, id: number) => Promise<unknown>,
  alike: readonly string[],
]

const STATES: readonly State[] = [
  [
    'active',
    async () => undefined,
    [
      'on, deploy',
      'off, undo, restore, many off, estate off',
      'disable, many disable, estate disable',
      'rm, many rm',
    ],
  ],
  [
    'active with a saved edit',
    ({ call }, id) => call('PUT', `/api/domains/${id}`, { body: { backend_port: 9 } }),
    ['on, deploy, deploy all', 'off, undo, restore, many off', 'disable, many disable', 'rm, many rm'],
  ],
  [
    'inactive with a saved edit',
    async ({ call }, id) => {
      await call('POST', `/api/domains/${id}/deactivate`)
      await call('PUT', `/api/domains/${id}`, { body: { backend_port: 9 } })
    },
    ['off, many off', 'disable, many disable', 'rm, many rm', 'undo, restore'],
  ],
  [
    'inactive',
    ({ call }, id) => call('POST', `/api/domains/${id}/deactivate`),
    [
      'on, restore newest',
      'off, many off, estate off',
      'disable, many disable, estate disable',
      'rm, many rm',
      'undo, restore',
    ],
  ],
  [
    'disabled',
    ({ call }, id) => call('POST', `/api/domains/${id}/disable`),
    ['disable, many disable, estate disable', 'rm, many rm', 'undo, restore, restore newest'],
  ],
]

describe('deeds on a record', () => {
  it.each(STATES)(
    'that is %s share a hash only where they come to the same',
    async (_name, come, expected) => {
      await using at = await openTestHouse()
      const id = await createActive(at.call)
      await come(at, id)
      expect(await alike(at, id)).toEqual(expected)
    },
  )
})

const OTHERS: readonly (readonly [state: 'active' | 'never active', shown: Name, deed: Name])[] = [
  ['active', 'off', 'disable'],
  ['never active', 'off', 'disable'],
  ['never active', 'disable', 'rm'],
  ['never active', 'off', 'estate disable'],
  ['active', 'mode observe', 'mode suspend'],
]

it.each(OTHERS)('on one that is %s, the hash of "%s" does not carry out "%s"', async (state, shown, name) => {
  await using at = await openTestHouse()
  const id = state === 'active' ? await createActive(at.call) : await create(at.call)
  const deeds = deedsOn(id)
  const { method, path, body }: Deed = deeds[name]
  const hash = await hashOf(at, deeds[shown])
  const before = (await at.call('GET', `/api/domains/${id}`)).body
  const answer = await at.call(method, `${path}?confirm=${hash}`, { body })
  expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
  expect(answer.body['detail']).toContain('or the hash is of another command')
  expect((await at.call('GET', `/api/domains/${id}`)).body).toEqual(before)
  expect((await at.call('GET', '/api/modes')).body).toMatchObject({ settings: [] })
  const own = await hashOf(at, deeds[name])
  expect(await at.call(method, `${path}?confirm=${own}`, { body })).toMatchObject({ status: 200 })
})

it('deeds on keys of the API and on heartbeats share no hash, whatever is done with which of them', async () => {
  await using at = await openTestHouse({ opened: false })
  const ids = []
  for (const name of ['one', 'two']) {
    const issued = await at.call('POST', '/api/keys', { body: { name } })
    ids.push((issued.body['key_info'] as unknown as { readonly id: string }).id)
    await at.call('POST', '/api/heartbeats', { body: { name } })
  }
  const deeds: readonly Deed[] = [
    ...['three', 'four'].flatMap((name) => [
      { method: 'POST', path: '/api/keys', body: { name } },
      { method: 'POST', path: '/api/keys', body: { name, access: 'read' } },
      { method: 'POST', path: '/api/heartbeats', body: { name } },
    ]),
    ...ids.flatMap((id) => [
      { method: 'POST', path: `/api/keys/${id}/rotate` },
      { method: 'DELETE', path: `/api/keys/${id}` },
    ]),
    ...['one', 'two'].flatMap((name) => [
      { method: 'DELETE', path: `/api/heartbeats/${name}` },
      { method: 'POST', path: `/api/heartbeats/${name}/token` },
      { method: 'DELETE', path: `/api/heartbeats/${name}/token` },
    ]),
  ]
  const hashes = []
  for (const deed of deeds) hashes.push(await hashOf(at, deed))
  expect(hashes).not.toContain(null)
  expect(new Set(hashes).size).toBe(deeds.length)
  const last = deeds.at(-1)!
  for (const [hash, status] of [
    [hashes[0], 409],
    [hashes.at(-1), 200],
  ])
    expect(await at.call(last.method, `${last.path}?confirm=${hash}`)).toMatchObject({ status })
})
