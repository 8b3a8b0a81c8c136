/** Certificates that we obtained: what is installed, what went wrong, and what counts against the authorities' limits. */
import type { Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import type {
  CertificateTrouble,
  InstalledCertificate,
  LedgerEntry,
  LedgerQuery,
  RenewalHint,
} from '../../ports/records/certificates.ts'
import type { CertificatesTable } from './certificate-tables.ts'
import { storedJson } from '../stored-json.ts'
import type { Tables } from '../tables.ts'

export async function certificates(db: Kysely<Tables>): Promise<InstalledCertificate[]> {
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

function hintOf(row: CertificatesTable): RenewalHint | null {
  const { ari_for: ari_id, ari_start: start, ari_end: end, ari_moment: moment, ari_ask_at: ask_at } = row
  if (ari_id === null || start === null || end === null || moment === null || ask_at === null) return null
  return { ari_id, start, end, moment, ask_at }
}

export async function saveCertificate(
  db: Kysely<Tables>,
  { renewal, names, ...facts }: InstalledCertificate,
): Promise<void> {
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

export async function dropCertificate(db: Kysely<Tables>, name: string): Promise<void> {
  await db.deleteFrom('certificates').where('name', '=', name).execute()
}

export async function certificateTrouble(db: Kysely<Tables>): Promise<CertificateTrouble[]> {
  const rows = await db.selectFrom('certificate_trouble').selectAll().orderBy('name').execute()
  return rows.map((row) => ({ ...row, rehearse: row.rehearse === 1 }))
}

export async function saveTrouble(
  db: Kysely<Tables>,
  { name, failures, directory, code, message, failed_at, next_try_at, rehearse }: CertificateTrouble,
): Promise<void> {
  const flag: 0 | 1 = rehearse ? 1 : 0
  const columns = { failures, directory, code, message, failed_at, next_try_at, rehearse: flag }
  await db
    .insertInto('certificate_trouble')
    .values({ name, ...columns })
    .onConflict((on) => on.column('name').doUpdateSet(columns))
    .execute()
}

export async function dropTrouble(db: Kysely<Tables>, name: string): Promise<void> {
  await db.deleteFrom('certificate_trouble').where('name', '=', name).execute()
}

export const ledger = (
  db: Kysely<Tables>,
  { directory, kind, subject, since }: LedgerQuery,
): Promise<LedgerEntry[]> =>
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

export async function addToLedger(
  db: Kysely<Tables>,
  { at, directory, kind, subject }: LedgerEntry,
): Promise<void> {
  await db.insertInto('certificate_ledger').values({ at, directory, kind, subject }).execute()
}

export async function trimLedger(db: Kysely<Tables>, before: Instant): Promise<void> {
  await db.deleteFrom('certificate_ledger').where('at', '<', before).execute()
}
