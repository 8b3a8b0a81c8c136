/**
 * Where a probe may go. A record's backend is what a caller wrote, so a probe could be sent to a cloud's metadata service,
 * to this daemon or to the proxy's own API, and a name can mean another address a moment later. So: the record's own
 * literal, or all addresses that its name has, asked once, every one of them fit; and the probe goes to the address.
 */
import { canonicalAddress, hostPort, isLoopback, parseAddress } from '../../../model/network/address.ts'
import { FIELDS } from '../../../model/domain/record.ts'
import type { BackendPlace, BackendProbe } from './probe/port.ts'

export const UNFIT = ['no_such_name', 'forbidden_address', 'own_service'] as const
export type Unfit = (typeof UNFIT)[number]

export type Vetted =
  | { readonly ok: true; readonly place: BackendPlace }
  | { readonly ok: false; readonly reason: Unfit }

export interface Backend {
  readonly host: string
  readonly port: number
}

/** Null where none is said, and where the rules of the record say what is wrong with it. */
export function backendIn(input: Readonly<Record<string, unknown>>): Backend | null {
  const host = FIELDS.backend_host.parse(input['backend_host'])
  const port = FIELDS.backend_port.parse(input['backend_port'])
  if (!host.ok || !port.ok || host.value === null || port.value === null) return null
  return { host: host.value, port: port.value }
}

export interface Vetting {
  readonly probe: BackendProbe
  /** `host:port` of what is ours: this daemon, the proxy's API. */
  readonly own: ReadonlySet<string>
  /** Addresses of this host's interfaces, as they are now. */
  readonly here: () => readonly string[]
}

/** Throws only the signal's reason. */
export async function vetted(backend: Backend, vetting: Vetting, signal: AbortSignal): Promise<Vetted> {
  const literal = backend.host === 'localhost' ? '127.0.0.1' : canonicalAddress(backend.host)
  const found = literal === null ? await vetting.probe.resolve(backend.host, signal) : [literal]
  const [address] = found
  if (address === undefined) return { ok: false, reason: 'no_such_name' }
  // A service beside us is named by its address. A name that leads back here is somebody else's to change.
  const fit = (one: string) => parseAddress(one).ok && (literal !== null || !isLoopback(one))
  if (!found.every(fit)) return { ok: false, reason: 'forbidden_address' }
  if (isOwn({ address, port: backend.port }, vetting)) return { ok: false, reason: 'own_service' }
  return { ok: true, place: { address, port: backend.port, name: backend.host } }
}

/**
 * Every address of the loopback network leads to whoever listens on one of them or on all, and every address of this host
 * to whoever listens on all.
 */
const isOwn = (
  { address, port }: { readonly address: string; readonly port: number },
  { own, here }: Pick<Vetting, 'own' | 'here'>,
): boolean =>
  own.has(hostPort(address, port)) ||
  (isLoopback(address) && own.has(`loopback:${port}`)) ||
  (own.has(`all:${port}`) && here().some((one) => canonicalAddress(one) === address))

/** The marks of places that are ours. @param place as it is written in settings */
export function ownMarks(place: { readonly host: string; readonly port: number }): readonly string[] {
  const host = place.host === 'localhost' ? '127.0.0.1' : place.host
  const address = canonicalAddress(host)
  const marks = [hostPort(address ?? host, place.port)]
  const is_all = address === '0.0.0.0' || address === '::'
  const is_here = is_all || (address !== null && isLoopback(address))
  return [...marks, ...(is_here ? [`loopback:${place.port}`] : []), ...(is_all ? [`all:${place.port}`] : [])]
}
