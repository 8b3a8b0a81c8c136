/** Watching DNS from outside: whether what we keep has arrived, and whether the network's resolvers know the routes. */
import type { IntegrityCheck } from './integrity.ts'
import type { DnsStatusParts } from '../zones/read-status.ts'

export interface DnsWatch {
  readonly status: DnsStatusParts
  readonly integrity: IntegrityCheck
}
