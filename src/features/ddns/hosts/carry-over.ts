/**
 * What a release carries over as reported: told before it is done and by its answer, and kept with the reports within the
 * transaction of the release.
 */
import { carrying } from '../../../engine/editions/carry-over.ts'
import type { Instant } from '../../../kernel/clock.ts'
import { carriedAddresses, isPublished, type ReportedByHost } from '../../../model/domain/address-sources.ts'
import { CARRIED_OVER, type ManagedType, type ReportedAddress } from '../../../model/network/dns.ts'
import type { StoreReader, StoreWriter } from '../../../ports/store.ts'
import type { ReleaseRow } from '../../../ports/records/trails.ts'
import { movePending } from '../addresses/pending.ts'
import { ddnsRecords } from '../records.ts'

export async function carriedWarnings(
  reader: StoreReader,
  rows: readonly ReleaseRow[],
): Promise<readonly string[]> {
  const carried = await carriedBy(reader, rows)
  const pending = carried.length === 0 ? [] : await reader.of(ddnsRecords).pendingAddresses()
  return carried.flatMap(({ host, from, ipv4, ipv6 }) => {
    const addresses = [ipv4, ipv6].filter((address) => address !== null).join(', ')
    return [
      `${host}: ${addresses} stays published (carried over) until its gateway reports an address.`,
      ...pending
        .filter((one) => one.host === from)
        .map(
          ({ address }) => `${host}: ${address}, which was reported for ${from} and waits, is taken for it.`,
        ),
    ]
  })
}

interface CarriedAddress {
  readonly host: string
  /** The name that it was reported for; null of a fixed address. */
  readonly from: string | null
  readonly ipv4: string | null
  readonly ipv6: string | null
}

/** What a release of these rows would keep as reported; nothing for a name that has a report of its own. */
async function carriedBy(
  reader: StoreReader,
  rows: readonly ReleaseRow[],
): Promise<readonly CarriedAddress[]> {
  const released = await reader.intent('released')
  const before = new Map(released.rows.map((row) => [row.domain_id, row]))
  const carriers = rows.flatMap(({ row }) => {
    const entering = row === null ? null : carrying(row, before.get(row.domain_id))
    return entering?.carried === undefined ? [] : [entering]
  })
  if (carriers.length === 0) return []
  const reported = byHost(await reader.of(ddnsRecords).reportedAddresses())
  return carriers.flatMap(({ fields: { domain: host }, carried }) => {
    const known = carriedAddresses({ host }, reported)
    const addresses = known.length > 0 ? [] : carriedAddresses(carried, reported)
    const ofFamily = (v6: boolean) => addresses.find((address) => address.includes(':') === v6) ?? null
    const from = carried !== undefined && 'host' in carried ? carried.host : null
    return addresses.length === 0 ? [] : [{ host, from, ipv4: ofFamily(false), ipv6: ofFamily(true) }]
  })
}

/** To be called within the transaction of the release, before its rows have moved. */
export async function carryOver(tx: StoreWriter, rows: readonly ReleaseRow[], at: Instant): Promise<void> {
  const ledger = tx.of(ddnsRecords)
  for (const { host, from, ipv4, ipv6 } of await carriedBy(tx, rows)) {
    await ledger.saveReportedAddress({ host, ipv4, ipv6, changed_at: at, reported_at: at })
    const families: readonly [ManagedType, string | null][] = [
      ['A', ipv4],
      ['AAAA', ipv6],
    ]
    for (const [type, address] of families)
      if (address !== null) await ledger.addAddressChange({ host, type, address, at, actor: CARRIED_OVER })
    if (from !== null) await movePending(tx, from, host)
  }
  await dropOutdated(tx, rows, at)
}

/** What was only carried over is no report: another fixed address takes its place for good. */
async function dropOutdated(tx: StoreWriter, rows: readonly ReleaseRow[], at: Instant): Promise<void> {
  const fixed = rows.flatMap(({ row }) =>
    row?.live === true && isPublished(row.fields) && row.fields.static_ip !== null ? [row.fields.domain] : [],
  )
  if (fixed.length === 0) return
  const ledger = tx.of(ddnsRecords)
  const reported = byHost(await ledger.reportedAddresses())
  for (const host of fixed) {
    if (carriedAddresses({ host }, reported).length === 0) continue
    const [newest] = await ledger.addressHistory(host, 1)
    if (newest?.actor === CARRIED_OVER)
      await ledger.saveReportedAddress({ host, ipv4: null, ipv6: null, changed_at: at, reported_at: at })
  }
}

const byHost = (reports: readonly ReportedAddress[]): ReportedByHost =>
  new Map(reports.map((report) => [report.host, report]))
