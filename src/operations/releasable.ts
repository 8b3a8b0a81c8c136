/** Two records may swap what they hold in the saved edition, one deploy at a time; the deployed edition must never hold it twice. */
import { withRows } from '../engine/editions.ts'
import { Failure } from '../kernel/failure.ts'
import { isPlainTcp } from '../model/domain.ts'
import type { Intent, IntentRow } from '../model/intent.ts'
import type { ReleaseRow } from '../ports/store.ts'

/** Throws `conflict`, naming what must be deployed first. */
export function assertReleasable(released: Intent, rows: readonly ReleaseRow[]): void {
  const moving = new Set(rows.map(({ domain_id }) => domain_id))
  const holders = new Map<string, IntentRow>()
  for (const row of withRows(released, rows).rows) {
    if (!row.live) continue
    for (const held of holdings(row)) {
      const other = holders.get(held)
      if (other !== undefined) throw conflict(held, other, row, moving)
      holders.set(held, row)
    }
  }
}

/** What only one live record may hold. */
export const holdings = ({ fields }: Pick<IntentRow, 'fields'>): string[] => [
  `name ${fields.domain}`,
  ...(isPlainTcp(fields) ? [`entrypoint ${fields.tcp_entrypoint}`] : []),
]

function conflict(held: string, a: IntentRow, b: IntentRow, moving: ReadonlySet<number>): Failure {
  const [holder, wanting] = moving.has(a.domain_id) ? [b, a] : [a, b]
  return new Failure(
    'conflict',
    `${wanting.fields.domain} cannot be deployed: the ${held} is still deployed for domain ${holder.domain_id}. ` +
      `Deploy domain ${holder.domain_id} first.`,
    { facts: { domain_id: holder.domain_id } },
  )
}
