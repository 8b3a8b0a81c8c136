/** What is to become of one router: a site of its own, a redirect that a site brings along, or nothing. */
import type { CreateInput } from '../entry.ts'
import type { Item } from './inventory.ts'
import type { FilePosition } from './place.ts'

/** Everything of a record but its domain, which the router's hosts give. */
export type SiteFields = Omit<CreateInput, 'domain'>

export type RouterOutcome =
  | {
      readonly kind: 'site'
      readonly hosts: readonly string[]
      readonly fields: SiteFields
      readonly notes: readonly string[]
      readonly uses: readonly FilePosition[]
    }
  /** To HTTPS, as the site of the same host brings it along. */
  | { readonly kind: 'redirect'; readonly hosts: readonly string[]; readonly uses: readonly FilePosition[] }
  | { readonly kind: 'stays'; readonly reason: string }

export type Site = Extract<RouterOutcome, { kind: 'site' }>

export interface RouterPlan {
  readonly item: Item
  readonly outcome: RouterOutcome
  /** Hosts that the router can touch at most; null for any. Kept for routers that stay: they still take traffic. */
  readonly reach: readonly string[] | null
  readonly tls: boolean
  /** Whether it answers HTTPS is not known: it may be either. */
  readonly tls_unknown: boolean
  /** Sends plain HTTP to HTTPS and does nothing else, whatever becomes of it. */
  readonly redirects: boolean
  /** Null: every default entrypoint. */
  readonly entrypoints: readonly string[] | null
  /** As Traefik counts it: the rule's length in bytes where none is given. */
  readonly priority: number
}
