/** What people want over time: records that come, go, move and are renamed, with the guards that stand before each release. */
import { type IntentRow } from '../../../src/model/intent.ts'
import { dnsRow } from '../../features/dns/target/rows.ts'
import { ZONE } from './providers.ts'
import { oneOf, type Random } from './random.ts'

export const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g.e', 'taken', '*.wild', 'h', 'i', 'j'].map(
  (label) => `${label}.${ZONE}`,
)
/** A record's own address; null where the reported one stands for it. */
const STATIC = [null, null, '192.0.2.7', '192.0.2.8', '2001:db8::7']

export const firstRows = (): IntentRow[] =>
  NAMES.slice(0, 10).map((domain, i) => dnsRow({ domain, domain_id: i + 1 }))

/** The rows that somebody changes in one go. */
export function someChange(rows: readonly IntentRow[], random: Random): readonly IntentRow[] {
  const here = rows.filter(({ retired }) => !retired)
  const free = NAMES.filter((name) => here.every(({ fields }) => fields.domain !== name))
  const row = here.length === 0 ? null : oneOf(random, here)
  const next = Math.max(0, ...rows.map(({ domain_id }) => domain_id)) + 1
  const again = free.length === 0 ? [] : [dnsRow({ domain: oneOf(random, free), domain_id: next })]
  switch (random(9)) {
    case 0:
    case 1:
      return again
    case 2:
      return row === null ? [] : [edited(row, { live: false, retired: true })]
    case 3:
      return row === null ? [] : [edited(row, { live: false })]
    case 4:
      return here.filter(({ live }) => !live).map((one) => edited(one, { live: true }))
    case 5:
      return row === null || free.length === 0
        ? []
        : [edited(row, { fields: { ...row.fields, domain: oneOf(random, free) } })]
    case 6:
    case 7:
      return row === null
        ? []
        : [edited(row, { fields: { ...row.fields, static_ip: oneOf(random, STATIC) } })]
    // Everything at once, as a script gone wrong would.
    default:
      return here.map((one) => edited(one, { live: false, retired: true }))
  }
}

const edited = (row: IntentRow, over: Partial<IntentRow>): IntentRow => ({
  ...row,
  ...over,
  revision: row.revision + 1,
})
