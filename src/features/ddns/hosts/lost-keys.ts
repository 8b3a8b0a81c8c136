/** Keys of gateways that a change leaves without what they open: told before it is done, and by its answer. No key moves by itself. */
import type { IntentRow } from '../../../model/intent.ts'
import type { StoreReader } from '../../../ports/store.ts'
import type { ReleaseRow } from '../../../ports/records/trails.ts'
import { hasEnded } from '../../../kernel/issued-secret.ts'
import { shellWord } from '../../../kernel/text/shell-word.ts'
import type { Ddns } from '../ddns.ts'
import { ddnsRecords } from '../records.ts'

interface Lost {
  readonly host: string
  /** The record under its new name; null for one that takes no addresses afterwards. */
  readonly next: IntentRow | null
}

/** To be called within the transaction of the change, after its records were saved and before its rows have moved. */
export async function lostKeyWarnings(
  { hub_host, clock }: Pick<Ddns, 'hub_host' | 'clock'>,
  reader: StoreReader,
  rows: readonly ReleaseRow[],
): Promise<readonly string[]> {
  const lost = (await namesLost(reader, rows)).filter(({ host }) => host !== hub_host)
  if (lost.length === 0) return []
  const tokens = await reader.of(ddnsRecords).ddnsTokens()
  return lost.flatMap(({ host, next }) => {
    const count = tokens.filter((token) => token.host === host && !hasEnded(token, clock.now())).length
    return count === 0 ? [] : [`${host}: ${wordsOf(count, next)}`]
  })
}

async function namesLost(reader: StoreReader, rows: readonly ReleaseRow[]): Promise<readonly Lost[]> {
  const released = new Map((await reader.intent('released')).rows.map((row) => [row.domain_id, row]))
  const working = (await reader.intent('working')).rows.filter(({ retired }) => !retired)
  const saved = new Map(working.map((row) => [row.domain_id, row.fields.domain]))
  const taken = new Set(saved.values())
  return rows.flatMap(({ domain_id, row }) => {
    const next = row === null || row.retired ? null : row
    const names = new Set([row, released.get(domain_id)].flatMap((one) => one?.fields.domain ?? []))
    const lost = [...names].filter((name) => name !== next?.fields.domain && name !== saved.get(domain_id))
    // What another record has, too, goes on for that one.
    return lost.filter((name) => next !== null || !taken.has(name)).map((host) => ({ host, next }))
  })
}

function wordsOf(count: number, next: IntentRow | null): string {
  const [keys, open] =
    count === 1 ? ['1 key of its gateway', 'opens'] : [`${count} keys of its gateways`, 'open']
  if (next === null) return `${keys} ${open} nothing while the domain is disabled.`
  const { domain, ddns_enabled } = next.fields
  const refused = `${keys} ${count === 1 ? 'does' : 'do'} not open ${domain}.`
  return ddns_enabled
    ? `${refused} Issue one for the new name: plumbline token issue ${shellWord(domain)}`
    : refused
}

/** What goes with a deleted domain. */
export const endingWords = (hosts: readonly { readonly host: string }[]): readonly string[] =>
  [...Map.groupBy(hosts, ({ host }) => host)].map(([host, { length }]) =>
    length === 1
      ? `${host}: 1 key of its gateway ends with the domain.`
      : `${host}: ${length} keys of its gateways end with the domain.`,
  )
