/** Which uniqueness a refused write broke, and who holds what it wanted. */
import type { Kysely } from 'kysely'
import { Failure } from '../kernel/failure.ts'
import { nameTaken } from '../model/domain/name-taken.ts'
import type { DomainFields } from '../model/domain/record.ts'
import type { ReleasedTable, Tables } from './tables.ts'

type UniqueColumn =
  | 'domains.domain'
  | 'domains.tcp_entrypoint'
  | 'released.domain'
  | 'released.plain_tcp_entrypoint'

const MESSAGE = /^UNIQUE constraint failed: (\S+)$/

/** The column whose uniqueness was broken, or null for every other error. */
function brokenColumn(error: unknown): UniqueColumn | null {
  if (!(error instanceof Failure) || !(error.cause instanceof Error)) return null
  return (MESSAGE.exec(error.cause.message)?.[1] as UniqueColumn | undefined) ?? null
}

/** `name_taken` or `entrypoint_taken` for a broken uniqueness of the working edition; any other error as it is. */
export async function workingConflict(
  db: Kysely<Tables>,
  error: unknown,
  wanted: Pick<DomainFields, 'domain' | 'tcp_entrypoint'>,
): Promise<unknown> {
  const column = brokenColumn(error)
  if (column === 'domains.domain') {
    const holder = await db
      .selectFrom('domains')
      .select(['id', 'domain', 'status'])
      .where('domain', '=', wanted.domain)
      .executeTakeFirstOrThrow()
    return nameTaken(holder)
  }
  if (column !== 'domains.tcp_entrypoint') return error
  const holder = await db
    .selectFrom('domains')
    .select(['id', 'domain'])
    .where('tcp_entrypoint', '=', wanted.tcp_entrypoint)
    .where('protocol', '=', 'tcp')
    .where('ssl_enabled', '=', 0)
    .where('service_type', '<>', 'manual')
    .where('status', '<>', 'disabled')
    .executeTakeFirstOrThrow()
  return new Failure(
    'entrypoint_taken',
    `The entrypoint ${wanted.tcp_entrypoint} is taken by domain ${holder.id} (${holder.domain}): ` +
      'without TLS it can serve only one TCP route.',
    { facts: { domain_id: holder.id } },
  )
}

/** `conflict` for a broken uniqueness of the released edition; any other error as it is. */
export async function releasedConflict(
  db: Kysely<Tables>,
  error: unknown,
  rows: readonly Omit<ReleasedTable, 'release'>[],
): Promise<unknown> {
  const broken = brokenColumn(error)
  if (broken !== 'released.domain' && broken !== 'released.plain_tcp_entrypoint') return error
  const column = broken === 'released.domain' ? 'domain' : 'plain_tcp_entrypoint'
  const wanting = new Map(rows.filter((row) => row.live === 1).map((row) => [row[column], row.domain_id]))
  const holder = await db
    .selectFrom('released')
    .select(['domain_id', column])
    .where('live', '=', 1)
    .where(column, 'in', [...wanting.keys()])
    .executeTakeFirst()
  if (holder === undefined) return error
  const what = column === 'domain' ? 'name' : 'entrypoint'
  return new Failure(
    'conflict',
    `Domain ${wanting.get(holder[column])} cannot be deployed: the ${what} ${holder[column]} is still deployed for ` +
      `domain ${holder.domain_id}. Deploy domain ${holder.domain_id} first.`,
    { facts: { domain_id: holder.domain_id } },
  )
}
