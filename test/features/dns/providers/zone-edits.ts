/** Editing the text of a zone without a file, for tests. */
import { checkChanges } from '../../../../src/features/dns/providers/checked-change.ts'
import { changedText } from '../../../../src/features/dns/providers/zonefile/change.ts'
import { parseZone } from '../../../../src/features/dns/providers/zonefile/parse.ts'
import type { DnsTraits, RrsetChange } from '../../../../src/features/dns/providers/port.ts'

export { HEAD, wish } from './zone-folder.ts'

export const ZONE = 'example.org'
const NOW = Date.UTC(2026, 10, 21)
const TRAITS = {
  batch_most: 10_000,
  ttl: { least: 0, most: 2_147_483_647, automatic: false },
} as DnsTraits

/** The new text, or null when nothing is to be written. */
export function edited(text: string, changes: readonly RrsetChange[]): string | null {
  const zone = parseZone(ZONE, text)
  const options = { provider: 'zonefile', zone: ZONE, traits: TRAITS, usual_ttl: 3600 }
  return changedText(zone, checkChanges(changes, options), NOW)
}
