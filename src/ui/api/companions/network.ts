/** Generated from `/companions/network/openapi.json` by `documents.test.ts`: `UPDATE_DOCUMENTS=1` writes it anew. */

/* eslint-disable */

export interface Clients {
  readonly data: readonly {
    readonly controller: string
    readonly site: string
    readonly _id?: string | null
    readonly user_id?: string | null
    readonly mac?: string | null
    readonly ip?: string | null
    readonly last_ip?: string | null
    readonly hostname?: string | null
    readonly name?: string | null
    readonly oui?: string | null
    readonly is_wired?: boolean | null
    readonly is_guest?: boolean | null
    readonly blocked?: boolean | null
    readonly network?: string | null
    readonly network_id?: string | null
    readonly vlan?: number | null
    readonly sw_mac?: string | null
    readonly sw_port?: number | null
    readonly sw_depth?: number | null
    readonly ap_mac?: string | null
    readonly essid?: string | null
    readonly bssid?: string | null
    readonly channel?: number | null
    readonly radio?: string | null
    readonly rssi?: number | null
    readonly signal?: number | null
    readonly satisfaction?: number | null
    readonly uptime?: number | null
    readonly first_seen?: number | null
    readonly last_seen?: number | null
    readonly rx_bytes?: number | null
    readonly tx_bytes?: number | null
    readonly 'rx_bytes-r'?: number | null
    readonly 'tx_bytes-r'?: number | null
    readonly rx_rate?: number | null
    readonly tx_rate?: number | null
    readonly 'wired-rx_bytes'?: number | null
    readonly 'wired-tx_bytes'?: number | null
    readonly use_fixedip?: boolean | null
    readonly fixed_ip?: string | null
    readonly online: boolean | null
  }[]
  readonly count: number
  readonly complete: boolean | null
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

export interface Devices {
  readonly data: readonly {
    readonly controller: string
    readonly site: string
    readonly _id?: string | null
    readonly mac?: string | null
    readonly name?: string | null
    readonly model?: string | null
    readonly type?: string | null
    readonly ip?: string | null
    readonly version?: string | null
    readonly state?: number | null
    readonly adopted?: boolean | null
    readonly uptime?: number | null
    readonly last_seen?: number | null
    readonly upgradable?: boolean | null
    readonly upgrade_to_firmware?: string | null
    readonly num_sta?: number | null
    readonly uplink?: {
      readonly type?: string | null
      readonly name?: string | null
      readonly up?: boolean | null
      readonly ip?: string | null
      readonly speed?: number | null
      readonly full_duplex?: boolean | null
      readonly port_idx?: number | null
      readonly uplink_mac?: string | null
      readonly uplink_device_name?: string | null
      readonly uplink_remote_port?: number | null
    } | null
    readonly port_table?: readonly {
      readonly port_idx?: number | null
      readonly name?: string | null
      readonly up?: boolean | null
      readonly speed?: number | null
      readonly poe_caps?: number | null
      readonly poe_class?: string | null
      readonly poe_enable?: boolean | null
      readonly poe_mode?: string | null
      readonly poe_good?: boolean | null
      readonly poe_power?: number | null
      readonly poe_current?: number | null
      readonly poe_voltage?: number | null
    }[] | null
  }[]
  readonly count: number
  readonly complete: boolean | null
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

export interface FirewallGroups {
  readonly data: readonly {
    readonly controller: string
    readonly site: string
    readonly _id?: string | null
    readonly name?: string | null
    readonly group_type?: string | null
    readonly group_members?: readonly string[] | null
  }[]
  readonly count: number
  readonly complete: boolean | null
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

export interface FirewallRules {
  readonly data: readonly {
    readonly controller: string
    readonly site: string
    readonly kind: 'rule' | 'policy'
    readonly _id: string | null
    readonly name: string | null
    readonly enabled: boolean | null
    readonly action: string | null
    readonly index: number | null
    readonly ruleset: string | null
    readonly ip_version: string | null
    readonly protocol: string | null
    readonly ports: string | null
    readonly source: {
      readonly zone: string | null
      readonly target: string | null
      readonly addresses: readonly string[]
      readonly network_ids: readonly string[]
      readonly macs: readonly string[]
      readonly group_ids: readonly string[]
      readonly port: string | null
    }
    readonly destination: {
      readonly zone: string | null
      readonly target: string | null
      readonly addresses: readonly string[]
      readonly network_ids: readonly string[]
      readonly macs: readonly string[]
      readonly group_ids: readonly string[]
      readonly port: string | null
    }
    readonly states: readonly string[]
    readonly logging: boolean | null
    readonly predefined: boolean | null
  }[]
  readonly count: number
  readonly complete: boolean | null
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

export interface Networks {
  readonly data: readonly {
    readonly controller: string
    readonly site: string
    readonly _id?: string | null
    readonly name?: string | null
    readonly purpose?: string | null
    readonly enabled?: boolean | null
    readonly ip_subnet?: string | null
    readonly vlan?: number | null
    readonly vlan_enabled?: boolean | null
    readonly networkgroup?: string | null
    readonly domain_name?: string | null
    readonly dhcpd_enabled?: boolean | null
    readonly dhcpd_start?: string | null
    readonly dhcpd_stop?: string | null
    readonly dhcpd_leasetime?: number | null
    readonly dhcpd_gateway_enabled?: boolean | null
    readonly dhcpd_gateway?: string | null
    readonly dhcpd_dns_enabled?: boolean | null
    readonly dhcpd_dns_1?: string | null
    readonly dhcpd_dns_2?: string | null
    readonly dhcpd_dns_3?: string | null
    readonly dhcpd_dns_4?: string | null
  }[]
  readonly count: number
  readonly complete: boolean | null
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

export interface PortForwards {
  readonly data: readonly {
    readonly controller: string
    readonly site: string
    readonly _id?: string | null
    readonly name?: string | null
    readonly enabled?: boolean | null
    readonly pfwd_interface?: string | null
    readonly src?: string | null
    readonly dst_port?: string | null
    readonly fwd?: string | null
    readonly fwd_port?: string | null
    readonly proto?: string | null
    readonly log?: boolean | null
    readonly destination_ip?: string | null
    readonly destination_ips?: readonly {
      readonly destination_ip?: string | null
      readonly interface?: string | null
    }[] | null
    readonly src_limiting_enabled?: boolean | null
    readonly src_limiting_type?: string | null
    readonly src_firewall_group_id?: string | null
  }[]
  readonly count: number
  readonly complete: boolean | null
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

export interface SyncedNames {
  readonly success: boolean
  readonly dry_run: boolean
  readonly renamed: readonly {
    readonly controller: string
    readonly site: string
    readonly user_id: string
    readonly mac: string
    readonly name_before: string | null
    readonly name: string
    readonly guest: string
  }[]
  readonly unchanged: number
  readonly skipped: readonly {
    readonly reason: 'never_seen' | 'ambiguous' | 'named_by_hand'
    readonly mac: string
    readonly guests: readonly string[]
    readonly controller: string | null
    readonly site: string | null
    readonly name: string | null
  }[]
  readonly failed: readonly {
    readonly controller: string
    readonly site: string
    readonly user_id: string
    readonly mac: string
    readonly name_before: string | null
    readonly name: string
    readonly guest: string
    readonly why: string
  }[]
  readonly recovered: readonly {
    readonly controller: string
    readonly site: string
    readonly user_id: string
    readonly mac: string
    readonly name_before: string | null
    readonly name: string
    readonly guest: string
    readonly outcome: 'written' | 'not_written' | 'superseded'
  }[]
}

export interface Wlans {
  readonly data: readonly {
    readonly controller: string
    readonly site: string
    readonly _id?: string | null
    readonly name?: string | null
    readonly enabled?: boolean | null
    readonly security?: string | null
    readonly wpa_mode?: string | null
    readonly wpa3_support?: boolean | null
    readonly hide_ssid?: boolean | null
    readonly is_guest?: boolean | null
    readonly networkconf_id?: string | null
    readonly wlan_bands?: readonly string[] | null
  }[]
  readonly count: number
  readonly complete: boolean | null
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
