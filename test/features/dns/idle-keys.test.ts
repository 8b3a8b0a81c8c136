/** Which zones a call asks nothing of: those where all that stands of its records is to stay. */
import { expect, it } from 'vitest'
import { idleKeys } from '../../../src/features/dns/zones/idle-keys.ts'
import type { OwnedRrset } from '../../../src/model/network/dns.ts'
import type { Intent, IntentRow } from '../../../src/model/intent.ts'
import { desireDns } from '../../../src/features/dns/target/desire.ts'
import { leftoversOf } from '../../../src/features/dns/target/leaving/removable.ts'
import { aRow } from '../../fixtures.ts'
import { someSettings } from './target/rows.ts'

const set = (zone: string, name: string, state = 'owned') =>
  ({ zone, name, type: 'A', state, domain_id: 1 }) as unknown as OwnedRrset

async function idle(
  row: IntentRow,
  owned: readonly OwnedRrset[],
  others: readonly IntentRow[] = [],
): Promise<readonly string[]> {
  const intent = { rows: [row, ...others] }
  const deps = {
    store: {
      intent: () => Promise.resolve(intent),
      of: () => ({ ownedRrsets: () => Promise.resolve(owned) }),
    },
    dns: {
      zoneFor: (name: string) => name.split('.').slice(-2).join('.'),
      leftovers: (released: Intent, facts: { readonly owned: readonly OwnedRrset[] }) =>
        leftoversOf(facts.owned, desireDns(released, someSettings()), []),
      reportedAddresses: () => Promise.resolve([]),
      keyOf: (zone: string) => `dns:${zone}`,
    },
  } as unknown as Parameters<typeof idleKeys>[0]
  return idleKeys(deps, [1])
}

const off = { ...aRow({ domain_id: 1, live: false, domain: 'app.b.com' }), retired: false }

it.each([
  ['what stays under its name', [set('b.com', 'app.b.com')], ['dns:b.com']],
  [
    'beside it a name that is still to go',
    [set('b.com', 'app.b.com'), set('a.com', 'app.a.com')],
    ['dns:b.com'],
  ],
  ['a name to go in the same zone', [set('b.com', 'app.b.com'), set('b.com', 'old.b.com')], []],
  [
    'what was adopted for a name that is only saved',
    [set('a.com', 'app.a.com', 'adopted')],
    ['dns:b.com', 'dns:a.com'],
  ],
] as const)('of a deactivated record: %s', async (_, owned, keys) => {
  expect(await idle(off, owned)).toEqual(keys)
})

it('of a retired record nothing stays', async () => {
  expect(await idle({ ...off, retired: true }, [set('b.com', 'app.b.com')])).toEqual([])
})

it('of a retired record what has another owner by now stays, and so does what was given up', async () => {
  const heir = { ...aRow({ domain_id: 2, live: true, domain: 'app.b.com' }), retired: false }
  const retired = { ...off, live: false, retired: true }
  expect(await idle(retired, [set('b.com', 'app.b.com')], [heir])).toEqual(['dns:b.com'])
  expect(await idle(retired, [set('b.com', 'app.b.com', 'releasing')])).toEqual(['dns:b.com'])
})
