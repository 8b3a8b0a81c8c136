/**
 * The rows of certificates that we obtain ourselves: what is installed and how we wrote it, what went wrong, and what counts
 * against the authorities' limits. Keys are never in them. They mirror the migrations `certificates` and `certificate-chains`.
 */
import type { Generated, Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import type { FailureCode } from '../../kernel/failure.ts'
import type { CertificateFacts } from '../../model/network/certificate.ts'
import { type ReaderOf, recordSet, type WriterOf } from '../../ports/record-set.ts'
import type { Store } from '../../ports/store.ts'
import { storedJson } from '../../store/stored-json.ts'
import { certificateOrders, dropOrder, saveOrder } from './order-records.ts'

export interface InstalledCertificate extends CertificateFacts {
  /** The first of its names, which it is called by. */
  readonly name: string
  readonly directory: string
  readonly obtained_at: Instant
  /** For renewal information and as `replaces` (RFC 9773 §4.1); null where the certificate has none. */
  readonly ari_id: string | null
  readonly renewal: RenewalHint | null
}

/** What we wrote of an installed certificate, so that a file with other bytes is noticed. */
export interface ChainDigests {
  readonly name: string
  /** Of the certificate that they are for. */
  readonly fingerprint: string
  /** SHA-256 of the files as they were written, lower-case hexadecimal. */
  readonly chain_sha256: string
  readonly key_sha256: string
}

/** With the bytes of the chain, which are public: they are written again without a new order. */
export interface KeptChain extends ChainDigests {
  readonly chain_pem: string
}

/** What the authority suggested, kept with the id of the certificate that it was for. */
export interface RenewalHint {
  readonly ari_id: string
  readonly start: Instant
  readonly end: Instant
  /** Chosen at random within the window, once. */
  readonly moment: Instant
  /** When to ask again. */
  readonly ask_at: Instant
}

export interface CertificateFailure {
  readonly name: string
  /** In a row. */
  readonly failures: number
  readonly directory: string
  readonly code: FailureCode
  readonly message: string
  readonly failed_at: Instant
  readonly next_try_at: Instant
  readonly rehearse: boolean
}

export interface LedgerEntry {
  readonly at: Instant
  readonly directory: string
  readonly kind: 'ordered' | 'issued' | 'failed_authorization'
  /** The sorted name set as JSON; the name of a failed authorisation. */
  readonly subject: string
}

export type LedgerQuery = Pick<LedgerEntry, 'directory' | 'kind' | 'subject'> & { readonly since: Instant }

type CertificateRow = Omit<InstalledCertificate, 'names' | 'renewal'> & {
  names: string
  ari_for: string | null
  ari_start: number | null
  ari_end: number | null
  ari_moment: number | null
  ari_ask_at: number | null
}

interface CertificateTables {
  certificates: CertificateRow
  certificate_chains: KeptChain
  certificate_trouble: Omit<CertificateFailure, 'rehearse'> & { rehearse: 0 | 1 }
  certificate_ledger: LedgerEntry & { id: Generated<number> }
}
type Db = Kysely<CertificateTables>

async function certificates(db: Db): Promise<readonly InstalledCertificate[]> {
  const rows = await db.selectFrom('certificates').selectAll().orderBy('name').execute()
  return rows.map((row) => {
    const { name, directory, issuer, serial, key_type, fingerprint } = row
    const { not_before, not_after, obtained_at, ari_id } = row
    return {
      name,
      names: storedJson<string[]>(row.names),
      directory,
      issuer,
      serial,
      key_type,
      fingerprint,
      not_before,
      not_after,
      obtained_at,
      ari_id,
      renewal: hintOf(row),
    }
  })
}

function hintOf(row: CertificateRow): RenewalHint | null {
  const { ari_for: ari_id, ari_start: start, ari_end: end, ari_moment: moment, ari_ask_at: ask_at } = row
  if (ari_id === null || start === null || end === null || moment === null || ask_at === null) return null
  return { ari_id, start, end, moment, ask_at }
}

async function saveCertificate(db: Db, { renewal, names, ...facts }: InstalledCertificate): Promise<void> {
  const { name, directory, issuer, serial, key_type, fingerprint } = facts
  const { not_before, not_after, obtained_at, ari_id } = facts
  const columns = {
    names: JSON.stringify(names),
    directory,
    issuer,
    serial,
    key_type,
    fingerprint,
    not_before,
    not_after,
    obtained_at,
    ari_id,
    ari_for: renewal?.ari_id ?? null,
    ari_start: renewal?.start ?? null,
    ari_end: renewal?.end ?? null,
    ari_moment: renewal?.moment ?? null,
    ari_ask_at: renewal?.ask_at ?? null,
  }
  await db
    .insertInto('certificates')
    .values({ name, ...columns })
    .onConflict((on) => on.column('name').doUpdateSet(columns))
    .execute()
}

async function dropCertificate(db: Db, name: string): Promise<void> {
  await db.deleteFrom('certificates').where('name', '=', name).execute()
}

async function certificateFailures(db: Db): Promise<readonly CertificateFailure[]> {
  const rows = await db.selectFrom('certificate_trouble').selectAll().orderBy('name').execute()
  return rows.map((row) => ({ ...row, rehearse: row.rehearse === 1 }))
}

async function saveFailure(
  db: Db,
  { name, failures, directory, code, message, failed_at, next_try_at, rehearse }: CertificateFailure,
): Promise<void> {
  const flag: 0 | 1 = rehearse ? 1 : 0
  const columns = { failures, directory, code, message, failed_at, next_try_at, rehearse: flag }
  await db
    .insertInto('certificate_trouble')
    .values({ name, ...columns })
    .onConflict((on) => on.column('name').doUpdateSet(columns))
    .execute()
}

async function dropFailure(db: Db, name: string): Promise<void> {
  await db.deleteFrom('certificate_trouble').where('name', '=', name).execute()
}

const ledger = (db: Db, { directory, kind, subject, since }: LedgerQuery): Promise<readonly LedgerEntry[]> =>
  db
    .selectFrom('certificate_ledger')
    .select(['at', 'directory', 'kind', 'subject'])
    .where('directory', '=', directory)
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('at', '>=', since)
    .orderBy('at')
    .orderBy('id')
    .execute()

/** What was issued at an authority since then, by name set. One query for all of them. */
async function issuedSince(
  db: Db,
  { directory, since }: Pick<LedgerQuery, 'directory' | 'since'>,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('certificate_ledger')
    .select((table) => ['subject', table.fn.countAll<number>().as('many')])
    .where('directory', '=', directory)
    .where('kind', '=', 'issued')
    .where('at', '>=', since)
    .groupBy('subject')
    .execute()
  return new Map(rows.map(({ subject, many }) => [subject, Number(many)]))
}

async function addToLedger(db: Db, { at, directory, kind, subject }: LedgerEntry): Promise<void> {
  await db.insertInto('certificate_ledger').values({ at, directory, kind, subject }).execute()
}

async function trimLedger(db: Db, before: Instant): Promise<void> {
  await db.deleteFrom('certificate_ledger').where('at', '<', before).execute()
}

/** Without the bytes: every look reads them all. */
const certificateChains = (db: Db): Promise<readonly ChainDigests[]> =>
  db
    .selectFrom('certificate_chains')
    .select(['name', 'fingerprint', 'chain_sha256', 'key_sha256'])
    .orderBy('name')
    .execute()

async function certificateChain(db: Db, name: string): Promise<KeptChain | null> {
  const row = await db
    .selectFrom('certificate_chains')
    .selectAll()
    .where('name', '=', name)
    .executeTakeFirst()
  return row ?? null
}

async function saveChain(db: Db, { name, ...columns }: KeptChain): Promise<void> {
  await db
    .insertInto('certificate_chains')
    .values({ name, ...columns })
    .onConflict((on) => on.column('name').doUpdateSet(columns))
    .execute()
}

async function dropChain(db: Db, name: string): Promise<void> {
  await db.deleteFrom('certificate_chains').where('name', '=', name).execute()
}

export const certificateRecords = recordSet({
  reads: {
    certificates,
    certificateChains,
    certificateChain,
    certificateOrders,
    certificateFailures,
    ledger,
    issuedSince,
  },
  writes: {
    saveCertificate,
    dropCertificate,
    saveChain,
    dropChain,
    saveOrder,
    dropOrder,
    saveFailure,
    dropFailure,
    addToLedger,
    trimLedger,
  },
})

export type CertificateWriter = WriterOf<typeof certificateRecords>

/** The part of the store that certificates need; `write` is one transaction, as in the store's own contract. */
export interface CertificateStore extends ReaderOf<typeof certificateRecords> {
  write<T>(work: (tx: CertificateWriter) => Promise<T>): Promise<T>
}

export const certificateStore = (store: Pick<Store, 'of' | 'write'>): CertificateStore => ({
  ...store.of(certificateRecords),
  write: (work) => store.write((tx) => work(tx.of(certificateRecords))),
})
