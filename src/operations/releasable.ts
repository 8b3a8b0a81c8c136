/**
 * What the deployed edition must never hold at once: one thing twice (two records may swap what they hold in the saved
 * edition, one deploy at a time), and a route that takes what is another's.
 */
import { withRows } from '../engine/editions.ts'
import { Failure } from '../kernel/failure.ts'
import { canBeProtected } from '../model/access/applies.ts'
import { covers } from '../model/certificate.ts'
import { type DomainFields, isPlainTcp } from '../model/domain.ts'
import type { Intent, IntentRow } from '../model/intent.ts'
import type { RefusedRow } from '../model/plan.ts'
import type { ReleaseRow } from '../ports/store.ts'

/**
 * Throws `conflict`, naming what must be deployed or changed first.
 * @param tls_entrypoint which serves HTTPS
 */
export function assertReleasable(
  released: Intent,
  rows: readonly ReleaseRow[],
  tls_entrypoint: string,
): void {
  const moving = new Set(rows.map(({ domain_id }) => domain_id))
  const holders = new Map<string, IntentRow>()
  const live = withRows(released, rows).rows.filter((row) => row.live)
  for (const row of live) {
    for (const held of holdings(row)) {
      const other = holders.get(held)
      if (other !== undefined) throw conflict(held, other, row, moving)
      holders.set(held, row)
    }
  }
  assertUnshadowed(live, moving, tls_entrypoint)
}

export interface Releasable {
  readonly rows: readonly ReleaseRow[]
  /** Those that must stay as they are, each with the reason. */
  readonly refused: readonly RefusedRow[]
}

/** The rows without those that must not be deployed beside what stays: taken out one by one, until the others may. */
export function releasableAmong(
  released: Intent,
  rows: readonly ReleaseRow[],
  tls_entrypoint: string,
): Releasable {
  const refused: RefusedRow[] = []
  for (let left = rows; ;) {
    try {
      assertReleasable(released, left, tls_entrypoint)
      return { rows: left, refused }
    } catch (error) {
      const domain_id = error instanceof Failure ? error.details.facts?.['refused_id'] : undefined
      const row = left.find((one) => one.domain_id === domain_id)?.row
      if (!(error instanceof Failure) || row === undefined || row === null) throw error
      const { code, message } = error
      refused.push({ domain_id: row.domain_id, domain: row.fields.domain, code, message })
      left = left.filter((one) => one.domain_id !== domain_id)
    }
  }
}

/**
 * A TCP route with a star on the entrypoint of HTTPS takes its names before any HTTP route is looked at: what is served
 * there goes dead, and what is protected there reaches a backend that nobody is asked to sign in for. What was let
 * through before this rule is left to whoever touches it next.
 */
function assertUnshadowed(
  live: readonly IntentRow[],
  moving: ReadonlySet<number>,
  tls_entrypoint: string,
): void {
  const found = shadowedPairs(live, tls_entrypoint).find(
    ({ star, row }) => moving.has(row.domain_id) || moving.has(star.domain_id),
  )
  if (found !== undefined) throw shadow(found.star, found.row, { entrypoint: tls_entrypoint, moving })
}

export interface ShadowedPair {
  readonly star: IntentRow
  /** Whose requests it takes. */
  readonly row: IntentRow
}

/** Of live rows: TCP routes with a star on the entrypoint of HTTPS, each with the HTTP routes that it would take. */
export const shadowedPairs = (live: readonly IntentRow[], tls_entrypoint: string): readonly ShadowedPair[] =>
  live
    .filter(({ fields }) => takesEveryName(fields, tls_entrypoint))
    .flatMap((star) =>
      live
        .filter(
          ({ fields }) =>
            canBeProtected(fields) && fields.ssl_enabled && covers([star.fields.domain], fields.domain),
        )
        .map((row) => ({ star, row })),
    )

const takesEveryName = (fields: DomainFields, tls_entrypoint: string): boolean =>
  fields.protocol === 'tcp' &&
  fields.service_type !== 'manual' &&
  fields.tcp_entrypoint === tls_entrypoint &&
  fields.domain.startsWith('*.')

const shadow = (
  star: IntentRow,
  { domain_id, fields }: IntentRow,
  { entrypoint, moving }: { readonly entrypoint: string; readonly moving: ReadonlySet<number> },
): Failure =>
  new Failure(
    'conflict',
    `${star.fields.domain} (domain ${star.domain_id}, TCP on ${entrypoint}) would take every TLS connection for ` +
      `${fields.domain} (domain ${domain_id}) before its HTTP route and its sign-in are looked at. ` +
      `Give the TCP route an entrypoint of its own, or single names.`,
    { facts: { domain_id: star.domain_id, refused_id: moving.has(domain_id) ? domain_id : star.domain_id } },
  )

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
    { facts: { domain_id: holder.domain_id, refused_id: wanting.domain_id } },
  )
}
