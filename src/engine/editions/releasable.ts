/**
 * What the deployed edition must never hold at once: one thing twice (two records may swap what they hold in the saved
 * edition, one deploy at a time), and a route that takes what is another's. Nor is a TCP route brought to an entrypoint that
 * is for something else by now: the record was judged when it was saved.
 */
import { withRows } from './editions.ts'
import { Failure } from '../../kernel/failure.ts'
import { canBeProtected } from '../../model/access/applies.ts'
import { covers } from '../../model/network/certificate.ts'
import { type DomainFields, isPlainTcp } from '../../model/domain/record.ts'
import type { Offer } from '../../model/domain/rules.ts'
import type { Intent, IntentRow } from '../../model/intent.ts'
import type { RefusedRow } from '../../model/plan.ts'
import type { ReleaseRow } from '../../ports/records/trails.ts'

export type Doors = Pick<Offer, 'tcp_entrypoints' | 'tls_entrypoint' | 'star_goes_first'>

/** Throws `conflict`, naming what must be deployed or changed first. */
export function assertReleasable(released: Intent, rows: readonly ReleaseRow[], doors: Doors): void {
  const moving = new Set(rows.map(({ domain_id }) => domain_id))
  const holders = new Map<string, IntentRow>()
  const live = withRows(released, rows).rows.filter((row) => row.live)
  for (const row of live) {
    for (const held of claimsOf(row)) {
      const other = holders.get(held)
      if (other !== undefined) throw conflict(held, other, row, moving)
      holders.set(held, row)
    }
  }
  assertInPlace(released, live, { moving, doors })
  assertUnshadowed(live, moving, doors)
}

/** What stands there already was judged at the start, and is nobody's doing now. */
function assertInPlace(
  released: Intent,
  live: readonly IntentRow[],
  { moving, doors }: { readonly moving: ReadonlySet<number>; readonly doors: Doors },
): void {
  const misplaced = live.filter(
    ({ domain_id, fields }) => moving.has(domain_id) && isMisplaced(fields, doors),
  )
  if (misplaced.length === 0) return
  const before = new Map(released.rows.map((row) => [row.domain_id, row]))
  const stoodThere = ({ domain_id, fields }: IntentRow): boolean => {
    const was = before.get(domain_id)
    return was?.live === true && placeOf(was.fields) === placeOf(fields)
  }
  const moved = misplaced.find((row) => !stoodThere(row))
  if (moved !== undefined) throw misplacedRoute(moved, doors)
}

const placeOf = (fields: DomainFields): string | null =>
  fields.protocol !== 'tcp' || fields.service_type === 'manual'
    ? null
    : `${isPlainTcp(fields) ? 'plain' : 'TLS'} ${fields.tcp_entrypoint}`

const isMisplaced = (fields: DomainFields, { tcp_entrypoints, tls_entrypoint }: Doors): boolean =>
  placeOf(fields) !== null &&
  (!tcp_entrypoints.includes(fields.tcp_entrypoint!) ||
    (fields.tcp_entrypoint === tls_entrypoint && isPlainTcp(fields)))

const misplacedRoute = ({ domain_id, fields }: IntentRow, { tcp_entrypoints }: Doors): Failure =>
  new Failure(
    'conflict',
    `${fields.domain} (domain ${domain_id}) cannot be deployed: its tcp_entrypoint ${fields.tcp_entrypoint} is not for such a TCP ` +
      `route any more, by PLUMBLINE_ENTRYPOINTS. Set another tcp_entrypoint (${tcp_entrypoints.join(', ') || 'there is none'}), ` +
      'with ssl_enabled where that serves HTTPS.',
    { facts: { domain_id, refused_id: domain_id } },
  )

export interface Releasable {
  readonly rows: readonly ReleaseRow[]
  /** Those that must stay as they are, each with the reason. */
  readonly refused: readonly RefusedRow[]
}

/**
 * The rows without those that must not be deployed beside what stays: taken out one by one, until the others may.
 *
 * @param left_out already, for reasons of their own
 */
export function releasableAmong(
  released: Intent,
  rows: readonly ReleaseRow[],
  doors: Doors,
  left_out: readonly RefusedRow[],
): Releasable {
  const refused: RefusedRow[] = []
  for (let left = rows; ;) {
    try {
      assertReleasable(released, left, doors)
      return { rows: left, refused }
    } catch (error) {
      const domain_id = error instanceof Failure ? error.details.facts?.['refused_id'] : undefined
      const row = left.find((one) => one.domain_id === domain_id)?.row
      if (!(error instanceof Failure) || row === undefined || row === null) throw error
      const message = wordsBeside(error, [...left_out, ...refused])
      refused.push({ domain_id: row.domain_id, domain: row.fields.domain, code: error.code, message })
      left = left.filter((one) => one.domain_id !== domain_id)
    }
  }
}

/** The holder that is left out as well cannot be deployed first: what it is refused for comes before. */
function wordsBeside(error: Failure, left_out: readonly RefusedRow[]): string {
  if (!(error instanceof StillDeployed)) return error.message
  const { why, holder_id } = error.refused
  return left_out.some(({ domain_id }) => domain_id === holder_id)
    ? `${why}, which is left out too: mend first what it is refused for.`
    : error.message
}

/**
 * Over TLS the proxy asks HTTP routes that name the host before TCP routes, and TCP routes before patterns. So a star over
 * HTTPS, where it is no pattern, takes the connections of TCP routes beside it: what is served there goes dead. A star over TCP
 * takes nothing of HTTP routes. What was let through before this rule is left to whoever touches it next.
 */
function assertUnshadowed(live: readonly IntentRow[], moving: ReadonlySet<number>, doors: Doors): void {
  const found = shadowedPairs(live, doors).find(
    ({ star, row }) => moving.has(row.domain_id) || moving.has(star.domain_id),
  )
  if (found !== undefined) throw shadow(found.star, found.row, moving)
}

export interface ShadowedPair {
  readonly star: IntentRow
  /** Whose connections it takes. */
  readonly row: IntentRow
}

/** Of live rows: stars over HTTPS, each with the TCP routes that it would take. */
export function shadowedPairs(
  live: readonly IntentRow[],
  { tls_entrypoint, star_goes_first = false }: Pick<Doors, 'tls_entrypoint' | 'star_goes_first'>,
): readonly ShadowedPair[] {
  if (!star_goes_first) return []
  const beside = live.filter(({ fields }) => isTlsOn(fields, tls_entrypoint))
  return live
    .filter(({ fields }) => isStarOverHttps(fields))
    .flatMap((star) =>
      beside
        .filter(({ fields }) => covers([star.fields.domain], fields.domain))
        .map((row) => ({ star, row })),
    )
}

const isStarOverHttps = (fields: DomainFields): boolean =>
  canBeProtected(fields) && fields.ssl_enabled && fields.domain.startsWith('*.')

const isTlsOn = (fields: DomainFields, entrypoint: string): boolean =>
  fields.protocol === 'tcp' &&
  fields.service_type !== 'manual' &&
  fields.ssl_enabled &&
  fields.tcp_entrypoint === entrypoint

const shadow = (star: IntentRow, { domain_id, fields }: IntentRow, moving: ReadonlySet<number>): Failure =>
  new Failure(
    'conflict',
    `${star.fields.domain} (domain ${star.domain_id}, HTTPS) would take every TLS connection for ${fields.domain} ` +
      `(domain ${domain_id}, TCP on ${fields.tcp_entrypoint}) before its TCP route is looked at. ` +
      `Give the TCP route an entrypoint of its own, or the HTTPS route single names.`,
    { facts: { domain_id: star.domain_id, refused_id: moving.has(domain_id) ? domain_id : star.domain_id } },
  )

/** What only one live record may hold. */
export const claimsOf = ({ fields }: Pick<IntentRow, 'fields'>): string[] => [
  `name ${fields.domain}`,
  ...(isPlainTcp(fields) ? [`entrypoint ${fields.tcp_entrypoint}`] : []),
]

/** What it gets is still deployed for another one. */
export class StillDeployed extends Failure {
  /** What, for whom, and why not. */
  readonly refused: { readonly why: string; readonly holder_id: number; readonly wanting_id: number }

  constructor(held: string, wanting: IntentRow, { domain_id: holder_id }: IntentRow) {
    const { domain_id: wanting_id, fields } = wanting
    const why = `${fields.domain} cannot be deployed: the ${held} is still deployed for domain ${holder_id}`
    const facts = { domain_id: holder_id, refused_id: wanting_id }
    super('conflict', `${why}. Deploy domain ${holder_id} first.`, { facts })
    this.refused = { why, holder_id, wanting_id }
  }
}

function conflict(held: string, a: IntentRow, b: IntentRow, moving: ReadonlySet<number>): Failure {
  return moving.has(a.domain_id) ? new StillDeployed(held, a, b) : new StillDeployed(held, b, a)
}
