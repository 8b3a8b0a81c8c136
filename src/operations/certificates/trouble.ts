/** What is wrong with a domain's certificate, in plain words, with what would help. Pure. */
import { type Instant, isoTime } from '../../kernel/clock.ts'
import { type CertificateFacts, covers } from '../../model/certificate.ts'
import type { AcmeReading } from '../../ports/acme-store.ts'
import type { ManagedView } from '../../ports/certificate-view.ts'
import type { Handshake } from '../../ports/tls-probe.ts'

export interface Sighting {
  readonly domain: string
  readonly internal: boolean
  /** Null where nobody was asked. */
  readonly seen: Handshake | null
  /** What the store holds for the domain; null where it holds nothing or is not known. */
  readonly held: CertificateFacts | null
  /** Null where no store is set. */
  readonly reading: AcmeReading | null
  readonly manager: Pick<ManagedView, 'installed' | 'last_error'> | null
}

/** The first that applies, the one nearest to the visitor first; null where nothing is wrong. */
export function troubleOf(sighting: Sighting, now: Instant): string | null {
  const { internal, seen, reading, manager } = sighting
  if (seen?.ok === false) return seen.detail
  const wrong = seen === null ? null : servedWrongly(seen.chain[0]!, sighting, now)
  if (wrong !== null) return wrong
  if (manager !== null && manager.last_error !== null) return manager.last_error
  if (reading !== null && (reading.state === 'refused' || reading.state === 'absent')) return reading.detail
  return seen === null && internal
    ? 'It is served internally only; set PLUMBLINE_TLS_ADDRESS to see what the proxy serves.'
    : null
}

function servedWrongly(
  served: CertificateFacts,
  { domain, held, manager }: Sighting,
  now: Instant,
): string | null {
  const better = [held, manager?.installed ?? null].find(
    (facts) => facts !== null && facts.serial !== served.serial && facts.not_after > now,
  )
  if (!covers(served.names, domain))
    return (
      `What is served is for ${namesIn(served)} (issuer ${served.issuer}), not for ${domain}. ` +
      (better ? NOT_LOADED : 'The proxy has none for this name yet. Look at its log for the order.')
    )
  if (served.not_after <= now)
    return (
      `What is served ended at ${isoTime(served.not_after)}. ` +
      (better ? NOT_LOADED : 'It was not renewed. Look at the log of whoever renews it for the order.')
    )
  if (served.not_before > now)
    return `What is served begins only at ${isoTime(served.not_before)}. Is the clock of this host right?`
  if (held !== null && held.serial !== served.serial && held.not_after > served.not_after)
    return (
      `The store holds a newer one (${held.serial}, to ${isoTime(held.not_after)}) than is served ` +
      `(${served.serial}, to ${isoTime(served.not_after)}). Restart the proxy, or see whether another proxy answers there.`
    )
  return null
}

const NOT_LOADED =
  'A good one is there but is not served: restart the proxy, or see whether another proxy answers at this address.'

/** A certificate may have a hundred. */
function namesIn({ names }: CertificateFacts): string {
  if (names.length === 0) return 'no name'
  return names.slice(0, 3).join(', ') + (names.length > 3 ? ` and ${names.length - 3} more` : '')
}
