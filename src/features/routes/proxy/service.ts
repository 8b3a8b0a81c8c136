/** What operations know of the proxy: a way to look at it, what it should run, and how backends are probed. */
import type { ServiceType } from '../../../model/domain/record.ts'
import type { IntentRow } from '../../../model/intent.ts'
import type { ProxyEntrypoint, ReadTraffic } from '../traefik/port.ts'
import type { BroughtCertificate } from '../folder/port.ts'
import type { MarkerOnDisk } from '../loaded/marker-on-disk.ts'
import type { ProxyWatch } from '../loaded/watch.ts'
import type { Door } from '../render/doors.ts'
import type { ReleasedRoutes } from '../target/released.ts'
import type { TheirFile, Theirs } from '../theirs/read-theirs.ts'
import type { GeneratedEntry } from '../views.ts'

export interface RoutingService {
  /** Null where no API is set: nothing is known of the proxy then. */
  readonly watch: ProxyWatch | null
  /** What the proxy has counted, kept for seconds; null where its metrics are not set. */
  readonly readTraffic: ReadTraffic | null
  /**
   * Entry points by the proxy's static configuration, as the installation was started with it; null where no file of it is
   * known. What the API shows goes before it.
   */
  readonly static_entrypoints: readonly ProxyEntrypoint[] | null
  /** The version that the routes file is written for: `3.6.0`. */
  readonly written_for: string
  /** What was released, and what is known of it. */
  readonly released: ReleasedRoutes
  /** Which rendering the file on disk is by its own word. */
  readonly markerOnDisk: MarkerOnDisk
  /** The beginning of every name of a middleware that names a rendering. */
  readonly marker_prefix: string
  /** The names that routers of a domain have, without the provider. */
  routerNames(domain: string): readonly string[]
  /** The domain that an object in the proxy belongs to, by its name there; null for what is no domain's or not ours. */
  domainOfShown(name: string): string | null
  /**
   * By item: the other files of the routes folder that define it, in the order in which the proxy reads them. None where
   * the folder cannot be read.
   */
  definers(items: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, readonly string[]>>
  /** Certificates that the other files of the routes folder name; none where the folder cannot be read. */
  broughtCertificates(signal: AbortSignal): Promise<readonly BroughtCertificate[]>
  /** What the routes file holds for one record alone. The record must be one that is rendered. */
  entryOf(row: IntentRow): GeneratedEntry
  /** What the file on disk says of a released row, as fields of a record. Throws a Failure where it cannot be read. */
  theirsOf(of: Pick<TheirFile, 'row' | 'seen'>, signal: AbortSignal): Promise<Theirs>
  /** Where the routers of a row would stand; none for one that is not rendered. */
  doorsOf(row: IntentRow): readonly Door[]
  /** Whether a forwardAuth with this address, as the proxy shows it, asks the SSO that protected records ask. */
  isOurSignIn(address: string): boolean
  /** The name under which a catalogue entry stands in the proxy, without the provider. */
  catalogueName(entry: string): string
  readonly catalogue: readonly CatalogueItem[]
}

/** Never with its configuration: the operator's own may hold passwords. */
export interface CatalogueItem {
  readonly name: string
  readonly own: boolean
  readonly description: string
  readonly position: string
  readonly type: string
  readonly unfit_for: Partial<Record<ServiceType, string>>
  /** The first version of the proxy that knows it. */
  readonly since: string
}
