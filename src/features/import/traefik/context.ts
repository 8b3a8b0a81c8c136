/** What a router is read against. */
import type { ImportContext } from '../../../ports/import-context.ts'
import type { Inventory } from './inventory.ts'

export interface Setting {
  readonly inventory: Inventory
  readonly context: ImportContext
  /** The router answers HTTPS. */
  readonly tls: boolean
}
