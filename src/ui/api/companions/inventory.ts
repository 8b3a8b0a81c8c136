/** Generated from `/companions/inventory/openapi.json` by `documents.test.ts`: `UPDATE_DOCUMENTS=1` writes it anew. */

/* eslint-disable */

export type Assets = readonly {
  readonly vmid: number | null
  readonly name: string
  readonly kind: 'qemu' | 'lxc' | 'node' | 'device'
  readonly cluster: string
  readonly node: string | null
  readonly purpose: string | null
  readonly sequence: number | null
  readonly in_scheme: boolean | null
  readonly state: 'running' | 'stopped' | 'paused' | 'suspended' | 'unknown' | 'template' | 'online' | 'offline'
  readonly template: boolean
  readonly addresses: readonly string[]
  readonly macs: readonly string[]
  readonly tags: readonly string[]
  readonly domains: readonly string[]
  readonly ssh_target: string | null
  readonly detail: string | null
}[]

export interface CheckedVmid {
  readonly vmid: number
  readonly in_use: boolean | null
  readonly reserved: boolean
  readonly holders: readonly {
    readonly cluster: string
    readonly id: string
    readonly vmid: number
    readonly name: string
    readonly node: string
    readonly template: boolean
    readonly online: boolean
  }[]
  readonly complete: boolean | null
}

export interface Conflicts {
  readonly ok: boolean | null
  readonly complete: boolean | null
  readonly checked_at: string | null
  readonly ip: readonly {
    readonly address: string
    readonly severity: 'error' | 'warning'
    readonly holders: readonly {
      readonly source: 'proxmox' | 'unifi' | 'docker' | 'domain' | 'gateway' | 'ssh_target'
      readonly at: string
      readonly name: string
      readonly vmid: number | null
      readonly mac: string | null
      readonly online: boolean
    }[]
  }[]
  readonly vmid: readonly {
    readonly vmid: number
    readonly severity: 'error' | 'warning'
    readonly holders: readonly {
      readonly cluster: string
      readonly id: string
      readonly vmid: number
      readonly name: string
      readonly node: string
    }[]
  }[]
  readonly mac: readonly {
    readonly mac: string
    readonly severity: 'error' | 'warning'
    readonly holders: readonly {
      readonly cluster: string
      readonly id: string
      readonly vmid: number
      readonly name: string
      readonly node: string
    }[]
  }[]
  readonly network: readonly {
    readonly reason: 'in_dhcp_pool' | 'fixed_lease_differs' | 'not_by_scheme'
    readonly severity: 'error' | 'warning'
    readonly address: string
    readonly expected: string | null
    readonly holder: {
      readonly cluster: string
      readonly id: string
      readonly vmid: number
      readonly name: string
      readonly node: string
    }
    readonly why: string
  }[]
}

export interface DecodedVmid {
  readonly vmid: number
  readonly in_scheme: boolean | null
  readonly node: string | null
  readonly node_number: number | null
  readonly purpose: string | null
  readonly purpose_number: number | null
  readonly sequence: number | null
  readonly address: string | null
}

export interface InfrastructureStatus {
  readonly status: 'ok' | 'degraded' | 'unknown'
  readonly complete: boolean | null
  readonly checked_at: string | null
  readonly sources: readonly {
    readonly kind: 'docker' | 'proxmox' | 'unifi'
    readonly name: string | null
    readonly configured: boolean
    readonly known: boolean | null
    readonly detail: string | null
    readonly observed_at: string | null
    readonly count: number | null
    readonly unreadable: number
  }[]
  readonly counts: {
    readonly assets: number
    readonly running: number
    readonly templates: number
    readonly addresses: number
    readonly clients: number
    readonly devices: number
    readonly domains: number
  }
  readonly conflicts: number | null
  readonly orphans: number | null
  readonly networks: readonly {
    readonly cidr: string
    readonly name: string
    readonly gateway: string
    readonly size: number
    readonly used: number
    readonly dhcp: {
      readonly first: string
      readonly last: string
    } | null
  }[]
}

export interface NextAddress {
  readonly address: string
  readonly network: string
  readonly gateway: string | null
  readonly free: number | null
  readonly complete: boolean | null
  readonly silent_guests: readonly string[]
}

export interface NextVmid {
  readonly vmid: number
  readonly node: string | null
  readonly purpose: string | null
  readonly sequence: number
  readonly address: string | null
  readonly range: {
    readonly first: number
    readonly last: number
    readonly used: number
    readonly free: number
  }
  readonly complete: boolean | null
  readonly as_of: string | null
}

export interface Orphans {
  readonly ok: boolean | null
  readonly complete: boolean | null
  readonly checked_at: string | null
  readonly orphans: readonly {
    readonly kind: 'domain_without_asset' | 'reservation_without_asset' | 'name_without_asset' | 'ssh_target_without_asset' | 'dns_record_without_domain'
    readonly id: string
    readonly name: string
    readonly since: string | null
    readonly why: string
    readonly helps: string
  }[]
  readonly unknown_kinds: readonly {
    readonly kind: 'domain_without_asset' | 'reservation_without_asset' | 'name_without_asset' | 'ssh_target_without_asset' | 'dns_record_without_domain'
    readonly why: string
  }[]
}

export interface SshTarget {
  readonly name: string
  readonly address: string
  readonly port: number
  readonly user: string
  readonly vmid: number | null
  readonly cluster: string | null
  readonly source: 'guest' | 'setting'
  readonly state: 'present' | 'new' | 'changed' | 'stopped' | 'unknown' | 'gone'
  readonly host_key: string | null
  readonly key_origin: 'setting' | 'contact' | null
  readonly shown_key: string | null
  readonly shown_at: string | null
  readonly contacted_at: string | null
  readonly released: boolean
}

export type SshTargets = readonly SshTarget[]

export interface SuggestedVmids {
  readonly suggestions: readonly {
    readonly vmid: number
    readonly node: string | null
    readonly purpose: string | null
    readonly sequence: number
    readonly address: string | null
    readonly range: {
      readonly first: number
      readonly last: number
      readonly used: number
      readonly free: number
    }
  }[]
  readonly complete: boolean | null
  readonly as_of: string | null
}

export interface UsedAddresses {
  readonly complete: boolean | null
  readonly checked_at: string | null
  readonly addresses: readonly {
    readonly address: string
    readonly online: boolean
    readonly by: readonly {
      readonly source: 'proxmox' | 'unifi' | 'docker' | 'domain' | 'gateway' | 'ssh_target'
      readonly at: string
      readonly name: string
      readonly vmid: number | null
      readonly mac: string | null
      readonly online: boolean
    }[]
  }[]
  readonly networks: readonly {
    readonly cidr: string
    readonly name: string
    readonly gateway: string
    readonly size: number
    readonly used: number
    readonly dhcp: {
      readonly first: string
      readonly last: string
    } | null
  }[]
}

export interface ValidatedAddress {
  readonly valid: boolean | null
  readonly expected: string | null
  readonly problems: readonly {
    readonly code: string
    readonly message: string
  }[]
}

export interface ValidatedVmid {
  readonly vmid: number
  readonly valid: boolean | null
  readonly problems: readonly {
    readonly code: 'out_of_range' | 'too_many_digits' | 'unknown_node' | 'nodes_not_known' | 'unknown_purpose' | 'no_sequence' | 'no_address'
    readonly message: string
  }[]
}
