/** What the store keeps for single sign-on. Part of the store's contract. */
import type { Instant } from '../../kernel/clock.ts'

export interface SsoReader {
  /** The rules with which the provider last came up; null before the first time. */
  ssoLoad(): Promise<SsoLoad | null>
  /** When the provider was last restarted by us; null for never. */
  ssoRestartedAt(): Promise<Instant | null>
  /** Routes that are taken out, ordered by domain. */
  quarantine(): Promise<readonly Quarantined[]>
}

export interface SsoWriter extends SsoReader {
  saveSsoLoad(load: SsoLoad): Promise<void>
  saveSsoRestart(at: Instant): Promise<void>
  /** By record; the first row of a record stands. */
  addQuarantine(row: Quarantined): Promise<void>
  /** False where there was none. */
  dropQuarantine(domain_id: number): Promise<boolean>
}

export interface SsoLoad {
  /** Where the file stood. */
  readonly place: string
  /** The file's change that the provider came up with. */
  readonly stamp: string
  /** Its text, to be put back when a later one keeps the provider from coming up. */
  readonly text: string
  readonly at: Instant
}

export interface Quarantined {
  readonly domain_id: number
  readonly domain: string
  readonly since: Instant
  /** What an anonymous request got, in words. */
  readonly evidence: string
}
