/**
 * The most that can be asked of the certificate of a backend while the proxy still takes it, each tried before it is told:
 *
 *   system        an authority that this host trusts
 *   ca            the record's own authority, else one of the folder by its name
 *   certificate   this certificate by itself, which ends on its day
 *   insecure      nothing
 *
 * A name is added where the certificate is for another one than the backend is reached by.
 */
import { type BackendTls, parseBackendTls } from '../../../model/domain/backend-tls.ts'
import { isForName } from '../../../model/network/certificate-text.ts'
import type { BackendPlace, BackendProbe, TlsSeen } from './probe/port.ts'

export type Shown = Extract<TlsSeen, { readonly ok: true }>

export interface TrustQuestion {
  readonly place: BackendPlace
  readonly said: BackendTls | null
  /** By what this host trusts, under the name that the record asks for. */
  readonly by_system: Shown
  /** By the name that a record says. */
  readonly authorities: ReadonlyMap<string, string>
}

const INSECURE: BackendTls = { trust: 'insecure' }

/** Null for what needs no word: an authority that this host trusts, and the name of the backend. */
export async function gentlestTrust(
  probe: Pick<BackendProbe, 'handshake'>,
  { place, said, by_system, authorities }: TrustQuestion,
  signal: AbortSignal,
): Promise<BackendTls | null> {
  const { fault, pem, fingerprint } = by_system
  const server_name = nameIn(by_system, place, said)
  if (server_name === null || (fault !== null && fault !== 'wrong_name' && fault !== 'untrusted'))
    return INSECURE
  const named = server_name === place.name ? {} : { server_name }
  const isTaken = async (roots: string | null): Promise<boolean> => {
    const seen = await probe.handshake(place, { server_name, roots }, signal)
    return seen.ok && seen.fault === null
  }
  if (fault !== 'untrusted' && (await isTaken(null)))
    return 'server_name' in named ? { trust: 'system', ...named } : null
  if (said?.trust === 'ca' && said.pem !== undefined && (await isTaken(said.pem)))
    return { trust: 'ca', pem: said.pem, ...named }
  const ca_name = await authorityOf(authorities, isTaken)
  if (ca_name !== null) return { trust: 'ca', ca_name, ...named }
  return (await isTaken(pem)) ? { trust: 'certificate', fingerprint, ...named } : INSECURE
}

/** As the record says it, as the backend is reached, else the first of the certificate's own; null where it has none. */
function nameIn({ pem, names }: Shown, place: BackendPlace, said: BackendTls | null): string | null {
  const own = names.map((name) => name.replace(/^\*/, 'www')).filter(canBeSaid)
  const wanted = [said?.server_name, place.name].filter((name) => name !== undefined)
  return wanted.find((name) => isForName(pem, name)) ?? own[0] ?? null
}

/** A hostile certificate has names that no record takes. */
const canBeSaid = (server_name: string): boolean => parseBackendTls({ trust: 'system', server_name }).ok

/** By halves, since each try is a connection. */
async function authorityOf(
  authorities: ReadonlyMap<string, string>,
  isTaken: (roots: string) => Promise<boolean>,
): Promise<string | null> {
  const bundle = (names: readonly string[]) => names.map((name) => authorities.get(name)).join('')
  let left = [...authorities.keys()].sort()
  if (left.length === 0 || !(await isTaken(bundle(left)))) return null
  while (left.length > 1) {
    const half = left.slice(0, Math.ceil(left.length / 2))
    left = (await isTaken(bundle(half))) ? half : left.slice(half.length)
  }
  return left[0] ?? null
}
