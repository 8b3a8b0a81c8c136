/** What a signed file holds against the model: what passes, what is refused and under which name, and what follows. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../src/kernel/failure.ts'
import type { Offer } from '../../../src/model/domain/rules.ts'
import { evaluateHeld } from '../../../src/features/releases/restore/evaluate-held.ts'
import { resumptionOf } from '../../../src/features/releases/restore/resumption.ts'
import { runs } from '../../kit/tier.ts'
import { edition, off, row } from './rows.ts'

const OFFER: Offer = {
  tcp_entrypoints: ['ssh'],
  tls_entrypoint: 'websecure',
  middlewares: new Map(),
  open_paths: new Map(),
  backend_authorities: new Set(),
}
const HERE = edition(row(1, 'a'), row(2, 'b'))
const JUDGES = { offer: OFFER, released: HERE, working: HERE }
const NOTHING = { release: 1, rows: [], present: [], ssh_clients: [], people: [] }
const stamp = { installation_id: 'me', number: 7, mark: '' }

const judged = (content: unknown) => evaluateHeld({ path: '/w/.x.plumbline', stamp, content }, JUDGES)
const rows = (...list: readonly unknown[]) => judged({ ...NOTHING, rows: list, present: [1, 2, 3] })
const takenFrom = (found: ReturnType<typeof judged>) => {
  const facts = { released: HERE, working: HERE, disabled: new Set<number>(), clients: [], people: [] }
  const taken = resumptionOf({ ...found, ...facts })
  const ids = (list: readonly { readonly domain_id: number }[]) => list.map(({ domain_id }) => domain_id)
  return {
    restore: ids(taken.restore.map(({ present }) => present)),
    create: ids(taken.create),
    deactivate: ids(taken.deactivate),
    disable: ids(taken.disable),
    remove: ids(taken.remove),
  }
}
const NONE = { restore: [], create: [], deactivate: [], disable: [], remove: [] }
const odd = (live: ReturnType<typeof row>, over: object) => ({ ...live, fields: { ...live.fields, ...over } })

describe('a record', () => {
  it('that passes is taken, and one that is deployed here as it stands there needs no judge', () => {
    const found = rows(row(1, 'a'), row(2, 'b', { backend_port: 9 }), row(3, 'c'))
    expect(found.refused).toEqual([])
    expect(takenFrom(found)).toEqual({ ...NONE, restore: [2], create: [3] })
  })

  it('that does not is off line where it is known here, and not created where it is not', () => {
    const found = rows(
      odd(row(1, 'a'), { backend_host: '169.254.169.254' }),
      odd(row(2, 'b'), { trust_everybody: true }),
      odd(row(3, 'c'), { middleware_config: { extra_middlewares: ['nowhere'] } }),
    )
    expect(found.refused).toMatchObject([
      { part: 'record', name: 'a.example.com', field: 'backend_host' },
      { part: 'record', name: 'b.example.com', field: 'trust_everybody' },
      { part: 'record', name: 'c.example.com', field: 'middleware_config.extra_middlewares' },
    ])
    expect(takenFrom(found)).toEqual({ ...NONE, deactivate: [1, 2] })
  })

  it('that is off there is off, whatever its fields are', () => {
    const retired = { ...off(odd(row(1, 'a'), { domain: 7 })), retired: true }
    const found = rows(retired, row(2, 'b'))
    expect(found.refused).toMatchObject([{ name: 'record 1', field: 'domain' }])
    expect(takenFrom(found)).toEqual({ ...NONE, disable: [1] })
  })

  it('of no sound id has no other record deleted for it', () => {
    const found = rows({ ...row(2, 'b'), domain_id: '2' }, row(1, 'a'))
    expect(found.refused).toMatchObject([{ name: 'b.example.com', field: 'domain_id' }])
    expect(takenFrom(found)).toEqual({ ...NONE, deactivate: [2] })
    expect(takenFrom(rows(row(1, 'a')))).toEqual({ ...NONE, remove: [2] })
  })
})

describe('a file', () => {
  it.each([null, 'x', [], {}, { ...NOTHING, rows: null }, { ...NOTHING, present: ['1'] }])(
    'that is none is refused as a whole (%j)',
    (content) => {
      expect(() => judged(content)).toThrow(/Nothing can be taken from \/w\/\.x\.plumbline: /)
    },
  )

  it('of whatever kind is judged or refused, and nothing else happens', () => {
    const json = fc.jsonValue({ maxDepth: 3 })
    const part = fc.array(json, { maxLength: 3 })
    const rowLike = fc.record({ domain_id: json, live: json, retired: json, revision: json, fields: json })
    const file = fc.record({
      release: fc.oneof(json, fc.constant(1)),
      rows: fc.oneof(fc.array(rowLike, { maxLength: 3 }), json),
      present: fc.oneof(fc.constant([1]), json),
      ssh_clients: part,
      people: part,
    })
    fc.assert(
      fc.property(fc.oneof(file, json), (content) => {
        try {
          takenFrom(judged(content))
        } catch (error) {
          expect(error).toBeInstanceOf(Failure)
        }
      }),
      { numRuns: runs(5_000) },
    )
  })
})

it('a person of no sound name or state counts as not listed', () => {
  const found = judged({ ...NOTHING, people: [{ username: 'jo\n', revoked: false }, { username: 'kim' }] })
  expect(found.refused).toMatchObject([
    { part: 'person', name: 'person 1', field: 'username' },
    { part: 'person', name: 'kim', field: 'revoked' },
  ])
  expect(found.held.people).toEqual([])
})
