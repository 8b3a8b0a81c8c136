/** One account at a DNS provider, with all that is needed to use it. */
import type { HttpClient } from '../../../ports/http-client.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { DnsProvider } from '../providers/port.ts'

/** What names an account, wherever it was read. */
export interface AccountName {
  readonly name: string
  /** The only zones of the account that are touched; empty for all. */
  readonly zones: readonly string[]
}

export interface DnsAccount extends AccountName {
  /** The provider's name. */
  readonly provider: string
  /** Whether its name servers are somebody's who answers the whole internet. Those of one's own may serve one's own network. */
  readonly is_hosted: boolean
  /** The folder that must be there, where it has one. */
  readonly folder: string | null
  /** Whether any name server is known to serve what it holds, as far as its own settings say. */
  isServed(data_dir: string): boolean
  /** Throws `bad_configuration`. */
  open(tools: ProviderTools): Promise<DnsProvider>
}

export interface ProviderTools {
  readonly http: HttpClient
  readonly clock: Clock
  readonly log: Log
  /** To be called when a server answers again that had been silent. */
  readonly back: () => void
  /** What is to be done when nobody uses the provider any more. */
  readonly atEnd: (end: () => void) => void
}

/** The zones that an account has, as far as they may be touched. */
export const limitedTo = (zones: readonly string[], only: readonly string[]): readonly string[] =>
  only.length === 0 ? zones : zones.filter((zone) => only.includes(zone))
