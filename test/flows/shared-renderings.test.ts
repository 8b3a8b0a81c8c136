/** What is kept by its rows is never another's: editions that save, deploy, rehearse and ask at once, beside derivations from nothing. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { digestOf } from '../../src/engine/editions/derivations.ts'
import { Editions, pendingBetween, withRows } from '../../src/engine/editions/editions.ts'
import type { AnyBlueprint } from '../../src/engine/target.ts'
import { certificatesCodec } from '../../src/features/certificates/target/codec.ts'
import { desireCertificates } from '../../src/features/certificates/target/desire.ts'
import { dnsCodec } from '../../src/features/dns/target/codec.ts'
import { desireDns } from '../../src/features/dns/target/desire.ts'
import { routesCodec } from '../../src/features/routes/target/codec.ts'
import { renderRoutes, renderRoutesInPieces } from '../../src/features/routes/target/desire.ts'
import type { DomainFields } from '../../src/model/domain/record.ts'
import type { Intent } from '../../src/model/intent.ts'
import type { StoreReader } from '../../src/ports/store.ts'
import { orderedIntent } from '../../src/store/memory/editions.ts'
import { someSettings } from '../features/routes/target/settings.ts'
import { aRow } from '../fixtures.ts'
import { byTier } from '../kit/tier.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const routes = someSettings()
const dns = { public_ip: ['192.0.2.1'], hub_host: null, ttl: null }
const made = (artifact: string, codec: unknown, desire: (intent: Intent) => unknown, rest = {}) =>
  ({ name: artifact, artifact, codec, desire, ...rest }) as AnyBlueprint
const desireInPieces = (intent: Intent) => renderRoutesInPieces(intent, routes)
const BLUEPRINTS: readonly AnyBlueprint[] = [
  made('routes', routesCodec(routes), (intent) => renderRoutes(intent, routes), { desireInPieces }),
  made('dns', dnsCodec, (intent) => desireDns(intent, dns)),
  made('certificates', certificatesCodec, (intent) => desireCertificates(intent, 'all')),
]

/** One field at a time and few values, so that rows come back to what they were, and to what others were. */
const field: fc.Arbitrary<Partial<DomainFields>> = fc.oneof(
  fc.record({ domain: fc.constantFrom('1.example.com', 'b.example.com', '*.example.com') }),
  fc.record({ auth_required: fc.boolean(), tags: fc.constantFrom([], ['home']) }),
  fc.constantFrom({ static_ip: '192.0.2.8' }, { static_ip: '192.0.2.7' }),
  { weight: 4, arbitrary: fc.constant({ static_ip: null, ddns_enabled: true }) },
  fc.record({ service_type: fc.constantFrom('http', 'spa', 'internal', 'manual') }),
  fc
    .constantFrom([], ['compress', 'csp-strict'], ['csp-strict', 'compress'])
    .map((extra_middlewares) => ({ middleware_config: { extra_middlewares } })),
)
const standing = fc
  .record({ live: fc.boolean(), retired: fc.boolean() })
  .filter(({ live, retired }) => !(live && retired))
const id = fc.integer({ min: 1, max: 3 })
const edit = fc.record({ id, change: fc.oneof(field, standing), raises: fc.constantFrom(0, 1, 1) })
const ids = fc.constantFrom([1], [2, 3], [1, 2, 3, 4])
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: fc.constantFrom('save', 'rehearse'), edit }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('deploy'), ids }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('delete', 'save as another'), id }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('read anew', 'collect garbage') }) },
)
type Of<T> = T extends fc.Arbitrary<infer V> ? V : never

function scene() {
  const none = orderedIntent([])
  const now = { working: none, released: none }
  const store = { intent: async (edition: 'working' | 'released') => now[edition] } as StoreReader
  return { now, store, editions: new Editions(store) }
}
type Scene = ReturnType<typeof scene>
const without = ({ rows }: Intent, ...gone: readonly number[]) =>
  rows.filter(({ domain_id }) => !gone.includes(domain_id))

const begins = (domain_id: number) =>
  aRow({ domain_id, domain: `${domain_id}.example.com`, static_ip: '192.0.2.7' })

function edited(intent: Intent, { id: domain_id, change, raises }: Of<typeof edit>): Intent {
  const before = intent.rows.find((row) => row.domain_id === domain_id)
  const { fields, ...stands } = before ?? begins(domain_id)
  const row = aRow({ ...fields, ...stands, ...change, revision: stands.revision + raises })
  return orderedIntent([...without(intent, domain_id), row])
}

/** Nothing moves where it cannot be rendered. */
async function deploy({ now, store, editions }: Scene, ids: readonly number[]): Promise<void> {
  const rows = pendingBetween(now.working, now.released).filter(({ domain_id }) => ids.includes(domain_id))
  const prospect = await editions.prospect(store, BLUEPRINTS, rows).catch(() => null)
  if (prospect === null) return
  await editions.freeze(prospect, BLUEPRINTS)
  const kept = withRows(now.released, rows).rows.map(({ carried: _carried, ...row }) => row)
  now.released = orderedIntent(kept)
}

async function take(at: Scene, one: Of<typeof step>): Promise<void> {
  const { now, store, editions } = at
  if ('ids' in one) return deploy(at, one.ids)
  if ('id' in one) {
    const gone = now.working.rows.find(({ domain_id }) => domain_id === one.id)
    const successor = gone === undefined || one.does === 'delete' ? [] : [{ ...gone, domain_id: 4 }]
    now.working = orderedIntent([...without(now.working, one.id, 4), ...successor])
  } else if (!('edit' in one)) {
    if (one.does === 'collect garbage') return collectGarbage()
    now.working = orderedIntent(structuredClone(now.working.rows))
  } else if (one.does === 'save') now.working = edited(now.working, one.edit)
  else {
    const moves = pendingBetween(edited(now.working, one.edit), now.released)
    await editions.prospect(store, BLUEPRINTS, moves).catch(() => null)
  }
}

/** All of it: its digest leaves out what no release keeps. */
async function shown({ codec }: AnyBlueprint, deriving: () => unknown, digest = digestOf): Promise<unknown> {
  try {
    const desired = await deriving()
    return { value: JSON.stringify(desired), digest: digest(codec, desired) }
  } catch (error) {
    return String(error)
  }
}

const anew: typeof digestOf = (codec, desired) => codec.freeze(desired).digest

async function check({ now, store, editions }: Scene): Promise<void> {
  const moves = pendingBetween(now.working, now.released)
  const deployed = withRows(now.released, moves)
  const begun = new Editions(store)
  await Promise.all(
    BLUEPRINTS.map(async (of) => {
      const asked = await Promise.all([
        shown(of, () => editions.working(of)),
        shown(of, async () => (await editions.prospect(store, [of], moves)).desired.get(of.artifact)),
        shown(of, () => editions.foreseen(of, editions.deployed(now.released, moves))),
      ])
      const saved = await shown(of, () => begun.working(of), anew)
      const then = await shown(of, () => of.desire(deployed), anew)
      expect(asked, of.artifact).toEqual([saved, then, then])
    }),
  )
}

it('what is derived is what the rows say, whoever asked before', async () => {
  const walk = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
    const at = scene()
    at.now.working = orderedIntent([1, 2, 3].map(begins))
    await deploy(at, [1, 2, 3])
    for (const one of steps) {
      await take(at, one)
      await check(at)
    }
  })
  await fc.assert(walk, { numRuns: byTier(30, 300) })
})
