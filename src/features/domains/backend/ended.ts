/** Certificates that records trust by themselves, or as an authority, and that have ended or not begun: the proxy refuses the backend. */
import { isoTime } from '../../../kernel/clock.ts'
import type { BackendTls } from '../../../model/domain/backend-tls.ts'
import { type Validity, validitiesOf } from '../../../model/network/certificate-text.ts'
import type { DomainFields } from '../../../model/domain/record.ts'
import type { Deps } from '../deps.ts'

/** One sentence for each record. */
export const endedWarnings = (
  { backend, clock }: Pick<Deps, 'backend' | 'clock'>,
  records: readonly DomainFields[],
): readonly string[] => {
  // Thousands of records share one authority, and reading a certificate holds everybody up.
  const known = new Map<string, string | null>()
  const faultIn = (pem: string): string | null => {
    const found = known.has(pem) ? known.get(pem)! : faultOf(validitiesOf(pem), clock.now())
    known.set(pem, found)
    return found
  }
  return records.flatMap(({ domain, protocol, service_type, backend_tls }) => {
    if (backend_tls === null || protocol === 'tcp' || service_type === 'manual') return []
    const pem = backend_tls.pem ?? backend.authorities.get(backend_tls.ca_name ?? '')
    const fault = pem === undefined ? null : faultIn(pem)
    return fault === null ? [] : [endedWords(domain, backend_tls, fault)]
  })
}

const endedWords = (domain: string, backend_tls: BackendTls, fault: string): string =>
  `${domain}: ${what(backend_tls)} ${fault}, so the proxy refuses the backend and visitors get 500. ` +
  'POST /api/domains/{id}/autodetect says what fits what the backend shows now.'

/** Of several, one that is in force will do. */
function faultOf(validities: readonly Validity[], now: number): string | null {
  const readable = validities.filter(({ from, until }) => Number.isFinite(from) && Number.isFinite(until))
  const [first] = readable
  if (first === undefined) return validities.length === 0 ? null : 'has dates that nobody can read'
  if (readable.some(({ from, until }) => from <= now && now <= until)) return null
  const last = readable.reduce((latest, one) => (one.until > latest.until ? one : latest), first)
  return last.until < now ? `ended on ${day(last.until)}` : `begins on ${day(last.from)}`
}

const day = (at: number): string => isoTime(at).slice(0, 10)

const what = ({ trust, ca_name }: BackendTls): string =>
  trust === 'certificate'
    ? 'the certificate in backend_tls'
    : ca_name === undefined
      ? 'the authority in backend_tls'
      : `the authority "${ca_name}" of PLUMBLINE_BACKEND_CA_DIR`
