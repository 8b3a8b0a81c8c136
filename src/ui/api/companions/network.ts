/** Generated from `/companions/network/openapi.json` by `documents.test.ts`: `UPDATE_DOCUMENTS=1` writes it anew. */

/* eslint-disable */

export interface RogueCheck {
  readonly ok: boolean | null
  readonly complete: boolean | null
  readonly checked_at: string | null
  readonly known: number
  readonly rogue: readonly {
    readonly controller: string
    readonly site: string
    readonly mac: string
    readonly randomized: boolean
    readonly address: string | null
    readonly hostname: string | null
    readonly vendor: string | null
    readonly network: string | null
    readonly vlan: number | null
    readonly wired: boolean | null
    readonly guest: boolean
    readonly first_seen: string | null
    readonly last_seen: string | null
    readonly uplink: {
      readonly mac: string
      readonly name: string | null
      readonly port: number | null
    } | null
  }[]
  readonly undecided: readonly {
    readonly controller: string
    readonly site: string
    readonly mac: string
    readonly randomized: boolean
    readonly address: string | null
    readonly hostname: string | null
    readonly vendor: string | null
    readonly network: string | null
    readonly vlan: number | null
    readonly wired: boolean | null
    readonly guest: boolean
    readonly first_seen: string | null
    readonly last_seen: string | null
    readonly uplink: {
      readonly mac: string
      readonly name: string | null
      readonly port: number | null
    } | null
  }[]
  readonly sources: readonly {
    readonly kind: 'docker' | 'proxmox' | 'unifi'
    readonly configured: boolean
    readonly name: string | null
    readonly known: boolean | null
    readonly reason: 'unreachable' | 'refused' | 'unreadable' | null
    readonly detail: string | null
    readonly observed_at: string | null
    readonly count: number | null
    readonly unreadable: number
  }[]
}
