/**
 * A companion: a service with a base address of its own, below the main listener at `/companions/NAME/` and, where its
 * setting says so, on an address of its own. Several of them may have one path, such as `/health`.
 */
import type { Endpoint } from './contract.ts'

export interface Companion {
  /** A word of its base address: `inventory`. */
  readonly name: string
  /** How its description is headed. */
  readonly title: string
  readonly description: string
  /** Where it listens beside the main listener, and the setting that says so; null for nowhere. */
  readonly listen: { readonly host: string; readonly port: number; readonly setting: string } | null
  /** Without what all of them have: `/health` where it says nothing of its own, `/openapi.json`, `/docs` and `/`. */
  readonly endpoints: readonly Endpoint[]
  /** Operations of the main service that it offers as well: the same values, by their id. */
  readonly shares?: readonly string[]
  /** Whether anything is set up that it could tell of. */
  configured(): boolean
}
