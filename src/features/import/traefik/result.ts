/** What an import of Traefik's files comes to. */
import type { CreateInput } from '../entry.ts'
import type { ReplacedRouter } from '../../../model/replaced-router.ts'
import type { Leftover, FilePosition } from './place.ts'

export interface ImportedRecord {
  readonly input: CreateInput
  /** The file of the main router, and the routers that serve the host. */
  readonly source: { readonly file: string; readonly routers: readonly string[] }
  /** Everything that the record stands for: routers, services, middlewares, transports. */
  readonly uses: readonly FilePosition[]
  /** What differs a little under the record, as sentences without a full stop. */
  readonly notes: readonly string[]
}

/**
 * Law: every router, service and middleware of the files is used by a record or stands among the leftovers, or both
 * when a record uses it and something that stays needs it too.
 */
export interface TraefikImport {
  /** Sorted by domain. Each passes the rules for new records. */
  readonly records: readonly ImportedRecord[]
  /** By file, in the order given, then by place. */
  readonly leftovers: readonly Leftover[]
  /** Routers that records take the place of, as the proxy that reads these files shows them. */
  readonly replaces: readonly ReplacedRouter[]
  /** What nobody looked at, as whole sentences. */
  readonly not_known: readonly string[]
}
