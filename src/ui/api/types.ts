/** Generated from `schema/openapi.json` by `documents.test.ts`: `UPDATE_DOCUMENTS=1` writes it anew. */

/* eslint-disable */

export type Code =
  | 'validation_failed'
  | 'malformed_request'
  | 'malformed_json'
  | 'unauthenticated'
  | 'wrong_key'
  | 'host_not_served'
  | 'cross_site_request'
  | 'network_not_trusted'
  | 'group_not_allowed'
  | 'read_only_key'
  | 'read_only_session'
  | 'session_not_proven'
  | 'not_signed_in'
  | 'sign_in_closed'
  | 'not_found'
  | 'method_not_allowed'
  | 'name_taken'
  | 'conflict'
  | 'record_disabled'
  | 'entrypoint_taken'
  | 'idempotency_key_reused'
  | 'revision_mismatch'
  | 'too_large'
  | 'headers_too_large'
  | 'request_timeout'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'token_not_for_name'
  | 'ddns_disabled'
  | 'refused_by_guard'
  | 'restored_from_backup'
  | 'storage_full'
  | 'storage_unwritable'
  | 'store_unavailable'
  | 'component_unavailable'
  | 'foreign_owner'
  | 'provider_credentials'
  | 'provider_refused'
  | 'provider_busy'
  | 'suspended'
  | 'shutting_down'
  | 'not_ready'
  | 'bad_configuration'
  | 'data_directory_in_use'
  | 'database_missing'
  | 'database_corrupt'
  | 'schema_too_new'
  | 'internal'

export type Cause =
  | 'pending_deploy'
  | 'renderer_changed'
  | 'edited'
  | 'lost'
  | 'applied_unrecorded'
  | 'edited_and_pending'
  | 'foreign_owner'
  | 'orphan'
  | 'not_loaded'
  | 'rejected'
  | 'access'
  | 'neighbour'
  | 'shadowed'
  | 'not_served'
  | 'removing'

export interface Access {
  readonly rules: 'running' | 'file' | null
  readonly people: boolean
  readonly entries: readonly {
    readonly domain: string
    readonly served_by: string | null
    readonly username: string | null
    readonly groups: readonly string[]
    readonly disabled: boolean
    readonly policy: 'bypass' | 'one_factor' | 'two_factor' | 'deny' | null
    readonly can_open: boolean | null
    readonly exceptions: readonly {
      readonly policy: 'bypass' | 'one_factor' | 'two_factor' | 'deny'
      readonly resources: readonly string[]
      readonly methods: readonly string[]
      readonly networks: readonly string[]
    }[]
    readonly detail: string
  }[]
  readonly notes: readonly string[]
  readonly gaps: readonly {
    readonly part: 'rules' | 'people' | 'routes_file'
    readonly cause: 'not_configured' | 'unreadable' | 'not_seen'
    readonly detail: string
  }[]
}

export interface Act {
  readonly id: 'deploy' | 'repair' | 'adopt' | 'release_record' | 'ignore' | 'save_theirs' | 'discard' | 'retry' | 'lift' | 'resume' | 'look' | 'go_back' | 'configure'
  readonly label: string
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly body: Readonly<Record<string, unknown>> | null
  readonly confirm: 'plan' | 'dry_run' | 'asks' | 'none'
  readonly why_not: string | null
}

export type Alerts = readonly RoutedAlert[]

export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly state: 'valid' | 'rotation_due' | 'ending' | 'ended'
  readonly access: 'everything' | 'read'
  readonly created_at: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
}

export type ApiKeys = readonly ApiKey[]

export interface AuditEntry {
  readonly id: number
  readonly at: string
  readonly actor: string
  readonly request_id: string
  readonly caller_request_id: string | null
  readonly action: string
  readonly domain_id: number | null
  readonly domain: string | null
  readonly revision_before: number | null
  readonly revision_after: number | null
  readonly plan_hash: string | null
  readonly detail: Readonly<Record<string, unknown>>
}

export interface CatalogueMiddleware {
  readonly name: string
  readonly own: boolean
  readonly description: string
  readonly position: string
  readonly type: string
  readonly since: string
  readonly unfit_for: Readonly<Record<string, string>>
  readonly status: 'loaded' | 'error' | 'unused_not_verified' | 'not_loaded' | 'unknown'
  readonly errors: readonly string[]
  readonly detail: string | null
  readonly used_by: readonly string[]
}

export interface Certificates {
  readonly manager: {
    readonly configured: boolean
    readonly directory: string | null
    readonly detail: string | null
  }
  readonly drift: boolean | null
  readonly differences: readonly Difference[]
  readonly wire: {
    readonly configured: boolean
    readonly address: {
      readonly host: string
      readonly port: number
    } | null
    readonly drift: boolean | null
    readonly names: number
    readonly not_served: number
    readonly detail: string | null
    readonly observed_at: string | null
  }
  readonly store: {
    readonly configured: boolean
    readonly fresh: boolean | null
    readonly detail: string | null
  }
  readonly counts: {
    readonly missing: number
    readonly expired: number
    readonly under_14_days: number
    readonly under_30_days: number
    readonly healthy: number
  }
  readonly certificates: readonly {
    readonly source: 'manager' | 'proxy'
    readonly name: string
    readonly names: readonly string[]
    readonly state: 'missing' | 'expired' | 'under_14_days' | 'under_30_days' | 'healthy'
    readonly drift: boolean | null
    readonly cause: Cause | null
    readonly certificate: {
      readonly names: readonly string[]
      readonly not_before: string
      readonly not_after: string
      readonly issuer: string
      readonly serial: string
      readonly key_type: string
      readonly fingerprint: string
      readonly state: 'expired' | 'under_14_days' | 'under_30_days' | 'healthy'
    } | null
    readonly domains: readonly {
      readonly domain_id: number
      readonly domain: string
    }[]
    readonly wanted: boolean
    readonly in_use: boolean | null
    readonly directory: string | null
    readonly resolver: string | null
    readonly order_step: string | null
    readonly next_attempt_at: string | null
    readonly last_error: string | null
    readonly budget: {
      readonly issued: number
      readonly most: number
      readonly within_days: number
    } | null
    readonly acts: readonly Act[]
  }[]
}

export interface Condition {
  readonly component: string
  readonly key: string
  readonly domain_id: number | null
  readonly domain: string | null
  readonly status: 'true' | 'false' | 'unknown'
  readonly reason: 'in_sync' | 'pending_deploy' | 'drifting' | 'unfinished' | 'contested' | 'refused' | 'failing' | 'unreadable' | 'suspended' | 'not_rendered' | 'stale' | 'never_looked'
  readonly message: string
  readonly observed_revision: number | null
  readonly last_transition_at: string
  readonly observed_at: string | null
  readonly others: {
    readonly status: 'true' | 'false' | 'unknown'
    readonly reason: 'in_sync' | 'pending_deploy' | 'drifting' | 'unfinished' | 'contested' | 'refused' | 'failing' | 'unreadable' | 'suspended' | 'not_rendered' | 'stale' | 'never_looked'
    readonly message: string
  } | null
}

export interface ControlPlaneHealth {
  readonly ok: boolean
  readonly drift: boolean | null
  readonly summary: string
  readonly things: {
    readonly right: number
    readonly all: number
  }
  readonly wrong: readonly {
    readonly name: string
    readonly cause: string
  }[]
  readonly components: readonly HealthComponent[]
  readonly invariants: readonly {
    readonly name: string
    readonly promise: string
    readonly holds: boolean | null
    readonly detail: string | null
    readonly checked_at: string
  }[]
  readonly observed_at: string
  readonly probed: boolean
}

export interface Credentials {
  readonly next_rotation_at: string
  readonly last_rotation_at: string | null
  readonly credentials: readonly {
    readonly kind: 'api_key' | 'ddns_key' | 'edge_token' | 'heartbeat_token' | 'external'
    readonly id: string
    readonly name: string
    readonly state: 'valid' | 'rotation_due' | 'ending' | 'ended'
    readonly since: string
    readonly expires_at: string | null
    readonly remedy: string
  }[]
}

export interface DdnsHosts {
  readonly rotation: {
    readonly next_at: string
    readonly last_at: string | null
    readonly rotation_due: readonly string[]
  }
  readonly hosts: readonly {
    readonly host: string
    readonly domain_id: number | null
    readonly is_hub: boolean
    readonly ddns_enabled: boolean | null
    readonly in_force: boolean
    readonly because: 'ddns_disabled' | 'static_ip' | 'internal' | 'manual' | 'inactive' | 'not_deployed' | 'foreign_owner' | 'no_record' | null
    readonly counts: {
      readonly source: 'static_ip' | 'reported' | 'hub' | 'public_ip' | 'carried_over'
      readonly addresses: readonly string[]
    } | null
    readonly ipv4: string | null
    readonly ipv6: string | null
    readonly changed_at: string | null
    readonly reported_at: string | null
    readonly flapping: readonly {
      readonly type: 'A' | 'AAAA'
      readonly held: string
      readonly asked: string
      readonly until: string
    }[]
    readonly waiting: readonly {
      readonly type: 'A' | 'AAAA'
      readonly address: string
      readonly due_at: string
    }[]
    readonly refused: {
      readonly at: string
      readonly code: string
      readonly detail: string
    } | null
    readonly tokens: number
    readonly history: readonly {
      readonly type: 'A' | 'AAAA'
      readonly address: string
      readonly at: string
      readonly actor: string
    }[]
  }[]
}

export interface DeployStatus {
  readonly timestamp: string | null
  readonly success: boolean | null
  readonly domain_count: number
  readonly routes_file_hash: string | null
  readonly warnings: readonly string[]
  readonly release: number | null
  readonly loaded_then: boolean | null
  readonly deploy_proxy: {
    readonly timestamp: string
    readonly success: boolean
    readonly release: number | null
    readonly warnings: readonly string[]
    readonly loaded_then: boolean | null
  } | null
  readonly loaded: boolean | null
  readonly drift: boolean | null
  readonly cause: Cause | null
  readonly newest: {
    readonly release: number
    readonly at: string
    readonly actor: string
    readonly reason: string
    readonly proxy: 'loaded' | 'not_loaded' | 'went_back' | 'superseded' | null
  } | null
  readonly source: 'memory' | 'db' | 'file'
  readonly fallback: boolean
  readonly proxy: ProxyStatus
}

export interface DeployedMap {
  readonly at: string
  readonly release: number
  readonly domains: number
  readonly grouped: boolean
  readonly nodes: readonly {
    readonly id: string
    readonly kind: 'entrypoint' | 'domain' | 'policy' | 'service' | 'machine'
    readonly label: string
    readonly stands_for: number
    readonly domains: number
    readonly domain_ids: readonly number[] | null
  }[]
  readonly edges: readonly {
    readonly from: string
    readonly to: string
    readonly domains: number
  }[]
}

export interface DeploymentResult {
  readonly success: boolean
  readonly message: string
  readonly release: number
  readonly domain_ids: readonly number[]
  readonly components: readonly {
    readonly component: string
    readonly key: string
    readonly outcome: 'clean' | 'repaired' | 'left_drifting' | 'left_unfinished' | 'refused' | 'failed' | 'unknown' | 'suspended'
    readonly differences: number
    readonly repaired: number
    readonly message: string | null
    readonly took_ms: number
  }[]
  readonly loaded: boolean | null
  readonly proxy_asked?: boolean
  readonly rejected: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly item: string
    readonly detail: string
  }[] | null
  readonly shadowed: readonly {
    readonly domain_id: number | null
    readonly domain: string | null
    readonly item: string
    readonly detail: string
  }[] | null
  readonly open_routes: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly detail: string
  }[]
  readonly not_proven: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly detail: string
    readonly cause: 'not_seen' | 'not_configured' | 'not_provable'
  }[]
  readonly refused: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly code: Code
    readonly message: string
  }[]
  readonly unfinished: readonly {
    readonly component: string
    readonly key: string
    readonly code: Code
    readonly message: string
  }[]
  readonly pending: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly revision: number | null
  }[]
  readonly warnings: readonly string[]
}

export interface Difference {
  readonly item: string
  readonly cause: Cause
  readonly domains: readonly string[]
  readonly detail: string
  readonly saved: string | null
  readonly released: string | null
  readonly there: string | null
  readonly line: number | null
  readonly noise: boolean
  readonly hunks: readonly {
    readonly old_start: number
    readonly old_lines: number
    readonly new_start: number
    readonly new_lines: number
    readonly lines: readonly {
      readonly sign: ' ' | '-' | '+'
      readonly text: string
      readonly noise: boolean
    }[]
  }[] | null
  readonly acts: readonly Act[]
  readonly ignored?: {
    readonly reason: string
    readonly actor: string
    readonly until: string
  }
}

export interface Discovery {
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
  readonly complete: boolean | null
  readonly not_exposed: readonly {
    readonly source: 'docker' | 'proxmox' | 'unifi'
    readonly at: string
    readonly name: string
    readonly likelihood: 'high' | 'medium' | 'low'
    readonly why: string
    readonly suggestion: {
      readonly body: {
        readonly domain: string
        readonly service_type: 'http'
        readonly environment: 'production'
        readonly backend_host: string
        readonly backend_port: number
      }
      readonly assumed: readonly string[]
    } | null
  }[] | null
  readonly points_at_nothing: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly status: 'active' | 'inactive' | 'disabled' | 'error'
    readonly backend_host: string
    readonly backend_port: number | null
    readonly reason: 'no_such_address' | 'offline' | 'port_not_published' | 'not_running' | 'no_such_container'
    readonly held_by: {
      readonly source: 'docker' | 'proxmox' | 'unifi'
      readonly at: string
      readonly name: string
    } | null
  }[] | null
  readonly not_judged: number | null
  readonly containers: readonly {
    readonly host: string
    readonly id: string
    readonly name: string
    readonly image: string | null
    readonly state: 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead' | 'unknown'
    readonly health: 'healthy' | 'unhealthy' | 'starting' | null
    readonly project: string | null
    readonly service: string | null
    readonly networks: readonly {
      readonly name: string
      readonly addresses: readonly string[]
    }[]
    readonly ports: readonly {
      readonly protocol: string
      readonly private_port: number
      readonly public_port: number | null
      readonly address: string | null
    }[]
    readonly is_on_host_network: boolean
    readonly domains: readonly {
      readonly domain_id: number
      readonly domain: string
      readonly status: 'active' | 'inactive' | 'disabled' | 'error'
      readonly by: 'address_port' | 'name_port' | 'address' | 'name'
    }[]
  }[] | null
  readonly guests: readonly {
    readonly cluster: string
    readonly id: string
    readonly kind: 'qemu' | 'lxc'
    readonly vmid: number
    readonly name: string
    readonly node: string
    readonly state: 'running' | 'stopped' | 'paused' | 'suspended' | 'unknown'
    readonly tags: readonly string[]
    readonly macs: readonly string[]
    readonly addresses: readonly string[]
    readonly detail: string | null
    readonly domains: readonly {
      readonly domain_id: number
      readonly domain: string
      readonly status: 'active' | 'inactive' | 'disabled' | 'error'
      readonly by: 'address_port' | 'name_port' | 'address' | 'name'
    }[]
  }[] | null
  readonly clients: readonly {
    readonly controller: string
    readonly site: string
    readonly kind: 'client' | 'device'
    readonly mac: string
    readonly name: string
    readonly hostname: string | null
    readonly address: string | null
    readonly online: boolean
    readonly wired: boolean | null
    readonly guest: boolean
    readonly network: string | null
    readonly vlan: number | null
    readonly vendor: string | null
    readonly last_seen: string | null
    readonly domains: readonly {
      readonly domain_id: number
      readonly domain: string
      readonly status: 'active' | 'inactive' | 'disabled' | 'error'
      readonly by: 'address_port' | 'name_port' | 'address' | 'name'
    }[]
  }[] | null
}

export interface DnsIntegrity {
  readonly ok: boolean | null
  readonly reason: string | null
  readonly leftovers: readonly {
    readonly zone: string
    readonly name: string
    readonly type: 'A' | 'AAAA'
    readonly values: readonly string[]
    readonly domain_id: number | null
    readonly because: 'retired' | 'unpublished' | 'renamed' | 'other_family' | 'asked' | 'no_address'
  }[]
  readonly checked_at: string | null
  readonly age_seconds: number | null
  readonly took_ms: number | null
  readonly counts: {
    readonly synced: number
    readonly propagating: number
    readonly slow: number
    readonly unknown: number
  }
  readonly names: readonly {
    readonly domain_id: number
    readonly zone: string
    readonly name: string
    readonly type: 'A' | 'AAAA'
    readonly proxied: boolean | null
    readonly provider: readonly string[]
    readonly state: 'synced' | 'propagating' | 'slow' | 'unknown'
    readonly since: string | null
    readonly detail: string | null
    readonly checked_at: string | null
    readonly authoritative: readonly {
      readonly host: string
      readonly address: string
      readonly values: readonly string[] | null
      readonly via: readonly string[]
      readonly agrees: boolean | null
      readonly detail: string | null
    }[]
    readonly resolvers: readonly {
      readonly address: string
      readonly values: readonly string[] | null
      readonly agrees: boolean | null
      readonly note: 'split_horizon' | 'kept' | null
      readonly detail: string | null
    }[]
  }[]
}

export interface DnsRecords {
  readonly drift: boolean | null
  readonly records: readonly ListedDnsRecord[]
  readonly differences: readonly Difference[]
  readonly unknown: readonly {
    readonly zone: string
    readonly detail: string
  }[]
  readonly others: readonly OtherDnsRecord[] | null
  readonly others_left: number | null
  readonly homeless: readonly string[]
}

export interface DnsZones {
  readonly zones: readonly {
    readonly zone: string
    readonly account: string
    readonly provider: string
    readonly writable: boolean
    readonly detail: string | null
    readonly names: number
    readonly owned: number
    readonly fresh: boolean
  }[]
  readonly accounts: readonly {
    readonly account: string
    readonly provider: string
    readonly ok: boolean | null
    readonly detail: string | null
    readonly listed_at: string | null
    readonly served: boolean
  }[]
  readonly homeless: readonly string[]
}

export interface Domain {
  readonly domain: string
  readonly service_type: 'http' | 'api' | 'spa' | 'proxy' | 'websocket' | 'static' | 'tcp-proxy' | 'internal' | 'manual'
  readonly environment: 'production' | 'development'
  readonly backend_host: string | null
  readonly backend_port: number | null
  readonly backend_scheme: 'http' | 'https' | 'h2c' | null
  readonly backend_tls: {
    readonly trust: 'system' | 'ca' | 'certificate' | 'insecure'
    readonly server_name?: string
    readonly pem?: string
    readonly ca_name?: string
    readonly fingerprint?: string
  } | null
  readonly protocol: 'http' | 'tcp'
  readonly tcp_entrypoint: string | null
  readonly cors_enabled: boolean
  readonly cors_origin: string | null
  readonly default_path: string | null
  readonly auth_required: boolean
  readonly ddns_enabled: boolean
  readonly ssl_enabled: boolean
  readonly health_check_path: string | null
  readonly middleware_config: {
    readonly extra_middlewares: readonly string[]
  }
  readonly static_ip: string | null
  readonly dns_ttl: number | null
  readonly dns_proxied: boolean | null
  readonly tags: readonly string[]
  readonly note: string | null
  readonly id: number
  readonly domain_unicode: string
  readonly status: 'active' | 'inactive' | 'disabled' | 'error'
  readonly status_reason: string | null
  readonly auth_applies: boolean
  readonly backend_warning: string | null
  readonly external_ip: string | null
  readonly external_port: number | null
  readonly revision: number
  readonly created_at: string
  readonly updated_at: string
  readonly activated_at: string | null
}

export interface DomainCertificate {
  readonly domain_id: number
  readonly domain: string
  readonly reachable: boolean
  readonly managed_by_acme: boolean | null
  readonly in_acme_store: boolean | null
  readonly asked: {
    readonly host: string
    readonly port: number
    readonly name: string
  } | null
  readonly served: {
    readonly names: readonly string[]
    readonly not_before: string
    readonly not_after: string
    readonly issuer: string
    readonly serial: string
    readonly key_type: string
    readonly fingerprint: string
    readonly state: 'expired' | 'under_14_days' | 'under_30_days' | 'healthy'
    readonly covers_name: boolean
  } | null
  readonly chain: readonly {
    readonly names: readonly string[]
    readonly not_before: string
    readonly not_after: string
    readonly issuer: string
    readonly serial: string
    readonly key_type: string
    readonly fingerprint: string
  }[]
  readonly protocol: string | null
  readonly distrust: string | null
  readonly stored: {
    readonly names: readonly string[]
    readonly not_before: string
    readonly not_after: string
    readonly issuer: string
    readonly serial: string
    readonly key_type: string
    readonly fingerprint: string
    readonly state: 'expired' | 'under_14_days' | 'under_30_days' | 'healthy'
  } | null
  readonly covered_by_wildcard: boolean | null
  readonly matches: boolean | null
  readonly store_read_at: string | null
  readonly manager: {
    readonly name: string
    readonly directory: string
    readonly installed: {
      readonly names: readonly string[]
      readonly not_before: string
      readonly not_after: string
      readonly issuer: string
      readonly serial: string
      readonly key_type: string
      readonly fingerprint: string
      readonly state: 'expired' | 'under_14_days' | 'under_30_days' | 'healthy'
    } | null
    readonly order_step: string | null
    readonly next_attempt_at: string | null
    readonly last_error: string | null
  } | null
  readonly drift: boolean | null
  readonly cause: Cause | null
  readonly last_error: string | null
}

export interface DomainCheck {
  readonly checks: readonly {
    readonly part: 'name' | 'zone' | 'free_here' | 'free_at_provider' | 'certificate' | 'address' | 'backend'
    readonly result: 'ok' | 'no' | 'unknown'
    readonly detail: string
    readonly domain_id: number | null
  }[]
}

export interface DomainCheckRequest {
  readonly domain: string
  readonly backend_host?: string
  readonly backend_port?: number
  readonly service_type?: 'http' | 'api' | 'spa' | 'proxy' | 'websocket' | 'static' | 'tcp-proxy' | 'internal' | 'manual'
}

export interface DomainEditions {
  readonly saved: {
    readonly domain: string
    readonly service_type: 'http' | 'api' | 'spa' | 'proxy' | 'websocket' | 'static' | 'tcp-proxy' | 'internal' | 'manual'
    readonly environment: 'production' | 'development'
    readonly backend_host: string | null
    readonly backend_port: number | null
    readonly backend_scheme: 'http' | 'https' | 'h2c' | null
    readonly backend_tls: {
      readonly trust: 'system' | 'ca' | 'certificate' | 'insecure'
      readonly server_name?: string
      readonly pem?: string
      readonly ca_name?: string
      readonly fingerprint?: string
    } | null
    readonly protocol: 'http' | 'tcp'
    readonly tcp_entrypoint: string | null
    readonly cors_enabled: boolean
    readonly cors_origin: string | null
    readonly default_path: string | null
    readonly auth_required: boolean
    readonly ddns_enabled: boolean
    readonly ssl_enabled: boolean
    readonly health_check_path: string | null
    readonly middleware_config: {
      readonly extra_middlewares: readonly string[]
    }
    readonly static_ip: string | null
    readonly dns_ttl: number | null
    readonly dns_proxied: boolean | null
    readonly tags: readonly string[]
    readonly note: string | null
    readonly status: 'active' | 'inactive' | 'disabled' | 'error'
    readonly revision: number
    readonly at: string
  }
  readonly released: {
    readonly domain: string
    readonly service_type: 'http' | 'api' | 'spa' | 'proxy' | 'websocket' | 'static' | 'tcp-proxy' | 'internal' | 'manual'
    readonly environment: 'production' | 'development'
    readonly backend_host: string | null
    readonly backend_port: number | null
    readonly backend_scheme: 'http' | 'https' | 'h2c' | null
    readonly backend_tls: {
      readonly trust: 'system' | 'ca' | 'certificate' | 'insecure'
      readonly server_name?: string
      readonly pem?: string
      readonly ca_name?: string
      readonly fingerprint?: string
    } | null
    readonly protocol: 'http' | 'tcp'
    readonly tcp_entrypoint: string | null
    readonly cors_enabled: boolean
    readonly cors_origin: string | null
    readonly default_path: string | null
    readonly auth_required: boolean
    readonly ddns_enabled: boolean
    readonly ssl_enabled: boolean
    readonly health_check_path: string | null
    readonly middleware_config: {
      readonly extra_middlewares: readonly string[]
    }
    readonly static_ip: string | null
    readonly dns_ttl: number | null
    readonly dns_proxied: boolean | null
    readonly tags: readonly string[]
    readonly note: string | null
    readonly revision: number
    readonly live: boolean
    readonly release: number | null
    readonly at: string | null
  } | null
  readonly moved: readonly ('domain' | 'service_type' | 'environment' | 'backend_host' | 'backend_port' | 'backend_scheme' | 'backend_tls' | 'protocol' | 'tcp_entrypoint' | 'cors_enabled' | 'cors_origin' | 'default_path' | 'auth_required' | 'ddns_enabled' | 'ssl_enabled' | 'health_check_path' | 'middleware_config' | 'static_ip' | 'dns_ttl' | 'dns_proxied' | 'tags' | 'note')[]
}

export interface DomainHistory {
  readonly domain_id: number
  readonly domain: string
  readonly of: 'probe'
  readonly at: string
  readonly bucket_seconds: number
  readonly looks_every_seconds: number | null
  readonly uptime: number | null
  readonly ok: number
  readonly bad: number
  readonly unknown: number
  readonly last: {
    readonly at: string
    readonly state: 'ok' | 'bad' | 'unknown'
    readonly message: string
    readonly backend_reachable: boolean | null
  } | null
  readonly buckets: readonly {
    readonly at: string
    readonly ok: number
    readonly bad: number
    readonly unknown: number
  }[]
}

export interface DomainLamps {
  readonly domain_id: number
  readonly domain: string
  readonly revision: number
  readonly pending: boolean
  readonly at: string
  readonly lamps: readonly {
    readonly lamp: 'route' | 'dns' | 'certificate' | 'sign_in' | 'probe'
    readonly letter: 'o' | 'p' | 'm' | 'd' | 'x' | 'u' | '-'
    readonly state: 'true' | 'pending' | 'moving' | 'differs' | 'wrong' | 'unknown' | 'not_used'
    readonly cause: string | null
    readonly message: string
    readonly seen_at: string | null
    readonly acts: readonly Act[]
    readonly parts: readonly {
      readonly source: string
      readonly state: 'true' | 'pending' | 'moving' | 'differs' | 'wrong' | 'unknown' | 'not_used'
      readonly cause: string | null
      readonly message: string
      readonly seen_at: string | null
    }[]
  }[]
}

export interface DomainStats {
  readonly total: number
  readonly by_status: Readonly<Record<string, number>>
  readonly by_service_type: Readonly<Record<string, number>>
  readonly by_environment: Readonly<Record<string, number>>
  readonly by_protocol: Readonly<Record<string, number>>
  readonly auth_required: number
  readonly pending_deploy: number
  readonly damaged: number
}

export interface DomainTraffic {
  readonly domain_id: number
  readonly domain: string
  readonly configured: boolean
  readonly requests: number | null
  readonly server_errors: number | null
  readonly since: string | null
  readonly observed_at: string | null
  readonly detail: string | null
}

export interface DomainsActPlan {
  readonly dry_run: true
  readonly plan: Plan
  readonly records: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly revision: number | null
    readonly status: 'active' | 'inactive' | 'disabled' | 'error' | null
  }[]
}

export interface DomainsActed {
  readonly success: boolean
  readonly message: string
  readonly release: number
  readonly domain_ids: readonly number[]
  readonly components: readonly {
    readonly component: string
    readonly key: string
    readonly outcome: 'clean' | 'repaired' | 'left_drifting' | 'left_unfinished' | 'refused' | 'failed' | 'unknown' | 'suspended'
    readonly differences: number
    readonly repaired: number
    readonly message: string | null
    readonly took_ms: number
  }[]
  readonly loaded: boolean | null
  readonly proxy_asked?: boolean
  readonly rejected: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly item: string
    readonly detail: string
  }[] | null
  readonly shadowed: readonly {
    readonly domain_id: number | null
    readonly domain: string | null
    readonly item: string
    readonly detail: string
  }[] | null
  readonly open_routes: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly detail: string
  }[]
  readonly not_proven: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly detail: string
    readonly cause: 'not_seen' | 'not_configured' | 'not_provable'
  }[]
  readonly refused: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly code: Code
    readonly message: string
  }[]
  readonly unfinished: readonly {
    readonly component: string
    readonly key: string
    readonly code: Code
    readonly message: string
  }[]
  readonly pending: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly revision: number | null
  }[]
  readonly warnings: readonly string[]
  readonly records: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly revision: number | null
    readonly status: 'active' | 'inactive' | 'disabled' | 'error' | null
  }[]
}

export interface DomainsChangePlan {
  readonly dry_run: true
  readonly plan: Plan
  readonly records: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly revision: number
    readonly changed: readonly ('domain' | 'service_type' | 'environment' | 'backend_host' | 'backend_port' | 'backend_scheme' | 'backend_tls' | 'protocol' | 'tcp_entrypoint' | 'cors_enabled' | 'cors_origin' | 'default_path' | 'auth_required' | 'ddns_enabled' | 'ssl_enabled' | 'health_check_path' | 'middleware_config' | 'static_ip' | 'dns_ttl' | 'dns_proxied' | 'tags' | 'note')[]
  }[]
}

export interface DomainsChanged {
  readonly success: true
  readonly message: string
  readonly records: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly revision: number
    readonly changed: readonly ('domain' | 'service_type' | 'environment' | 'backend_host' | 'backend_port' | 'backend_scheme' | 'backend_tls' | 'protocol' | 'tcp_entrypoint' | 'cors_enabled' | 'cors_origin' | 'default_path' | 'auth_required' | 'ddns_enabled' | 'ssl_enabled' | 'health_check_path' | 'middleware_config' | 'static_ip' | 'dns_ttl' | 'dns_proxied' | 'tags' | 'note')[]
  }[]
  readonly warnings: readonly string[]
}

export interface Edge {
  readonly id: number
  readonly name: string
  readonly hostname: string | null
  readonly address: string | null
  readonly region: string | null
  readonly state: 'pending' | 'active' | 'draining' | 'offline'
  readonly desired_state: 'active' | 'draining' | 'offline'
  readonly revision: number
  readonly reason: string
  readonly last_seen: string | null
  readonly config_version: string | null
  readonly served_version: string | null
  readonly current_version: string | null
  readonly up_to_date: boolean | null
  readonly created_at: string
  readonly updated_at: string
}

export interface EdgeIssued {
  readonly success: true
  readonly message: string
  readonly edge: Edge
  readonly token: string
  readonly endpoint: string
  readonly warnings: readonly string[]
  readonly traefik: string
}

export interface EffectiveConfig {
  readonly domain_id: number
  readonly domain: string
  readonly intent: Domain
  readonly released_revision: number | null
  readonly generated: {
    readonly yaml: string
    readonly routes: readonly {
      readonly kind: 'http' | 'tcp'
      readonly router: string
      readonly rule: string
      readonly entrypoints: readonly string[]
      readonly middlewares: readonly string[]
      readonly tls: boolean
      readonly cert_resolver: string | null
      readonly priority: number | null
      readonly service: string
      readonly addresses: readonly string[]
    }[]
    readonly response_headers: readonly {
      readonly router: string
      readonly headers: readonly {
        readonly name: string
        readonly value: string | null
      }[]
    }[]
  } | null
  readonly runtime: {
    readonly routes: readonly {
      readonly router: {
        readonly kind: 'http' | 'tcp'
        readonly name: string
        readonly provider: string
        readonly status: 'enabled' | 'warning' | 'disabled'
        readonly errors: readonly string[]
        readonly rule: string
        readonly entrypoints: readonly string[]
        readonly middlewares: readonly string[]
        readonly service: string
        readonly tls: boolean
        readonly cert_resolver: string | null
        readonly priority: number | null
      }
      readonly service: {
        readonly kind: 'http' | 'tcp'
        readonly name: string
        readonly provider: string
        readonly status: 'enabled' | 'warning' | 'disabled'
        readonly errors: readonly string[]
        readonly addresses: readonly string[]
        readonly health: Readonly<Record<string, string>> | null
      } | null
    }[]
    readonly file_loaded: boolean | null
    readonly observed_at: string
  } | null
  readonly sync_status: 'in_sync' | 'pending_deploy' | 'not_loaded' | 'rejected' | 'shadowed' | 'rendered_otherwise' | 'not_routed' | 'unknown'
  readonly sync_reason: string | null
  readonly differences: readonly {
    readonly item: string
    readonly expected: string | null
    readonly found: string | null
  }[]
  readonly rivals: readonly {
    readonly item: string
    readonly domains: readonly string[]
    readonly stance: 'takes_all' | 'ties' | 'takes_some' | 'not_judged' | 'redirects_too' | 'defined_first'
    readonly provider: string
    readonly router: string | null
    readonly file: string | null
    readonly rule: string | null
    readonly priority: number | null
    readonly detail: string
  }[]
  readonly backend_tcp_reachable?: boolean | null
  readonly backend_trouble?: string | null
  readonly backend_transport?: {
    readonly works: boolean | null
    readonly speaks: 'http' | 'https' | 'h2c' | null
    readonly certificate: {
      readonly fingerprint: string
      readonly names: readonly string[]
      readonly more_names: number
      readonly fault: 'untrusted' | 'expired' | 'not_yet_valid' | 'wrong_name' | 'no_names' | null
    } | null
    readonly detail: string
    readonly suggestion: {
      readonly backend_scheme: 'http' | 'https' | 'h2c' | null
      readonly backend_tls: {
        readonly trust: 'system' | 'ca' | 'certificate' | 'insecure'
        readonly server_name?: string
        readonly pem?: string
        readonly ca_name?: string
        readonly fingerprint?: string
      } | null
    } | null
  } | null
}

export type EmailAliases = readonly SendAsAlias[]

export interface EmailHealth {
  readonly configured: boolean
  readonly ok: boolean | null
  readonly provider: 'smtp' | 'gmail' | null
  readonly detail: string | null
  readonly token: EmailToken | null
  readonly budget: {
    readonly minute: {
      readonly used: number
      readonly limit: number
    }
    readonly day: {
      readonly used: number
      readonly limit: number
    }
  }
  readonly last_sent_at: string | null
  readonly last_unknown_at: string | null
}

export interface EmailToken {
  readonly state: 'never_asked' | 'valid' | 'expired' | 'needs_consent' | 'failing'
  readonly expires_at: string | null
  readonly reason: string | null
}

export interface EverythingDrift {
  readonly drift: boolean | null
  readonly components: readonly {
    readonly component: string
    readonly key: string
    readonly drift: boolean | null
    readonly reason: string | null
    readonly differences: readonly Difference[]
    readonly unified_diff: string | null
    readonly note: string | null
    readonly observed_at: string
  }[]
  readonly pending: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly revision: number | null
  }[]
}

export interface Examination {
  readonly at: string
  readonly findings: readonly {
    readonly check: string
    readonly state: 'good' | 'warning' | 'bad'
    readonly detail: string
    readonly remedy: string | null
  }[]
}

export interface ExplainedDomain {
  readonly domain_id: number
  readonly domain: string
  readonly status: 'active' | 'inactive' | 'disabled' | 'error'
  readonly revision: number
  readonly summary: string
  readonly saved: {
    readonly at: string
    readonly actor: string
    readonly request_id: string
    readonly action: string
  } | null
  readonly not_published: string | null
  readonly no_certificate: string | null
  readonly released_revision: number | null
  readonly released: {
    readonly release: number
    readonly at: string
    readonly actor: string
    readonly request_id: string
    readonly reason: string
  } | null
  readonly undone: {
    readonly at: string
    readonly component: string
    readonly count: number
    readonly items: readonly {
      readonly item: string
      readonly detail: string
    }[]
    readonly kept_as: readonly string[]
  } | null
  readonly warnings: readonly string[]
  readonly pending: boolean
  readonly acts: readonly Act[]
  readonly components: readonly {
    readonly component: string
    readonly key: string
    readonly agrees: boolean | null
    readonly cause: Cause | null
    readonly desired: string | null
    readonly released: string | null
    readonly observed: string | null
    readonly kept: readonly string[]
    readonly differences: readonly Difference[]
    readonly observed_at: string
    readonly unknown_because: string | null
    readonly applied: boolean
    readonly condition: {
      readonly status: 'true' | 'false' | 'unknown'
      readonly reason: 'in_sync' | 'pending_deploy' | 'drifting' | 'unfinished' | 'contested' | 'refused' | 'failing' | 'unreadable' | 'suspended' | 'not_rendered' | 'stale' | 'never_looked'
      readonly message: string
      readonly observed_revision: number | null
      readonly last_transition_at: string
      readonly observed_at: string | null
    }
    readonly engine: {
      readonly will: 'leave_alone' | 'repair' | 'try_again' | 'only_report' | 'refuse' | 'stay_suspended' | 'look_again'
      readonly because: string
      readonly mode: 'repair' | 'observe' | 'suspend'
      readonly mode_reason: string
      readonly suspended_until: string | null
      readonly guard: {
        readonly rule: 'incomplete_read' | 'emptied_edition' | 'bulk_removal' | 'protected_name' | 'not_ours' | 'not_whole' | 'stale_release' | 'contested' | 'restored_from_backup' | 'outranks_protection' | 'weaker_policy'
        readonly message: string
        readonly confirmable: boolean
      } | null
      readonly failures: number
      readonly next_attempt_at: string | null
    }
  }[]
  readonly served: {
    readonly agrees: boolean | null
    readonly cause: Cause | null
    readonly differences: readonly Difference[]
    readonly beside: readonly {
      readonly item: string
      readonly domains: readonly string[]
      readonly stance: 'takes_all' | 'ties' | 'takes_some' | 'not_judged' | 'redirects_too' | 'defined_first'
      readonly provider: string
      readonly router: string | null
      readonly file: string | null
      readonly rule: string | null
      readonly priority: number | null
      readonly detail: string
    }[]
    readonly unknown_because: string | null
    readonly observed_at: string
  } | null
  readonly sign_in: readonly {
    readonly list: 'missing_rule' | 'extra_rule' | 'weaker_policy' | 'missing_middleware' | 'extra_middleware' | 'not_loaded' | 'open_route' | 'shut_out'
    readonly domain: string
    readonly cause: Cause | 'proxy_differs' | 'answers_without_sign_in' | 'believes_everybody' | 'portal_protected' | 'outside_cookie_domains' | 'no_second_factor' | 'no_endpoint'
    readonly detail: string
    readonly cure: string
  }[]
  readonly not_proven: string | null
}

export interface HealthComponent {
  readonly name: string
  readonly component: string
  readonly kind: 'kept' | 'dependency' | 'watch'
  readonly configured: boolean
  readonly ok: boolean
  readonly drift: boolean | null
  readonly cause: string | null
  readonly causes: Readonly<Record<string, number>>
  readonly reason: 'in_sync' | 'pending_deploy' | 'drifting' | 'unfinished' | 'contested' | 'refused' | 'failing' | 'unreadable' | 'suspended' | 'not_rendered' | 'stale' | 'never_looked' | 'healthy' | 'not_configured' | 'propagating' | 'impaired' | 'unreachable' | 'timed_out' | 'malformed' | 'broken'
  readonly message: string
  readonly of_some?: boolean
  readonly differences: readonly {
    readonly item: string
    readonly cause: string
    readonly domains: readonly string[]
    readonly detail: string
  }[]
  readonly details: Readonly<Record<string, unknown>>
  readonly acts: readonly Act[]
  readonly observed_at: string | null
  readonly stale_after: string | null
  readonly stale: boolean
  readonly since: string | null
  readonly next_attempt_at: string | null
  readonly mode: 'repair' | 'observe' | 'suspend' | null
  readonly suspended_until: string | null
}

export interface Heartbeat {
  readonly name: string
  readonly state: 'pending' | 'alive' | 'silent'
  readonly reason: string
  readonly last_seen: string | null
  readonly silent_since: string | null
  readonly created_at: string
}

export type Heartbeats = readonly Heartbeat[]

export interface IgnoredDifference {
  readonly item: string
  readonly component: string
  readonly key: string
  readonly reason: string
  readonly actor: string
  readonly since: string
  readonly until: string
}

export type IgnoredDifferences = readonly IgnoredDifference[]

export interface KeptPlan {
  readonly id: string
  readonly created_at: string
  readonly expires_at: string
  readonly actor: string
  readonly applied_release: number | null
  readonly plan: Plan
}

export interface Lamps {
  readonly at: string
  readonly event: number
  readonly order: readonly ('route' | 'dns' | 'certificate' | 'sign_in' | 'probe')[]
  readonly rows: readonly (readonly [number, number, string, boolean, Readonly<Record<string, string>>, string | null])[]
}

export interface LanHosts {
  readonly configured: boolean
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
  readonly hosts: readonly {
    readonly controller: string
    readonly site: string
    readonly kind: 'client' | 'device'
    readonly mac: string
    readonly name: string
    readonly hostname: string | null
    readonly address: string | null
    readonly online: boolean
    readonly wired: boolean | null
    readonly guest: boolean
    readonly network: string | null
    readonly vlan: number | null
    readonly vendor: string | null
    readonly last_seen: string | null
  }[] | null
}

export interface ListedDnsRecord {
  readonly zone: string
  readonly account: string
  readonly name: string
  readonly type: string
  readonly managed_type: 'A' | 'AAAA'
  readonly state: 'absent' | 'lost' | 'owned' | 'applying' | 'removing' | 'unmarked' | 'adopted' | 'releasing' | 'orphan' | 'foreign' | 'other_installation' | 'blocked' | 'conflict' | 'unaddressed'
  readonly domain_id: number | null
  readonly domain: string | null
  readonly desired: readonly string[] | null
  readonly observed: readonly string[] | null
  readonly ttl: number | null
  readonly desired_ttl: number | null
  readonly proxied: boolean | null
  readonly comment: string | null
  readonly detail: string | null
  readonly cause: Cause | null
  readonly acts: readonly Act[]
}

export interface ListedSiteToken {
  readonly id: string
  readonly host: string
  readonly label: string
  readonly state: 'valid' | 'rotation_due' | 'ending' | 'ended'
  readonly created_at: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
  readonly has_record: boolean
}

export type Middlewares = readonly CatalogueMiddleware[]

export interface Modes {
  readonly components: readonly {
    readonly component: string
    readonly scope: string
    readonly mode: 'repair' | 'observe' | 'suspend'
    readonly reason: string
    readonly actor: string
    readonly expires_at: string | null
    readonly standing: {
      readonly mode: 'repair' | 'observe' | 'suspend'
      readonly reason: string
      readonly actor: string
      readonly expires_at: string | null
    } | null
    readonly below: readonly {
      readonly mode: 'repair' | 'observe' | 'suspend'
      readonly reason: string
      readonly actor: string
      readonly expires_at: string | null
    }[]
  }[]
  readonly settings: readonly {
    readonly scope: string
    readonly mode: 'repair' | 'observe' | 'suspend'
    readonly reason: string
    readonly actor: string
    readonly expires_at: string | null
    readonly standing: {
      readonly mode: 'repair' | 'observe' | 'suspend'
      readonly reason: string
      readonly actor: string
      readonly expires_at: string | null
    } | null
    readonly below: readonly {
      readonly mode: 'repair' | 'observe' | 'suspend'
      readonly reason: string
      readonly actor: string
      readonly expires_at: string | null
    }[]
    readonly expired: boolean
  }[]
  readonly not_set_up: readonly string[]
}

export interface NetworkSummary {
  readonly configured: boolean
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
  readonly sites: readonly {
    readonly controller: string
    readonly site: string
    readonly label: string
    readonly wan: readonly {
      readonly name: string
      readonly status: string
      readonly address: string | null
      readonly latency_ms: number | null
      readonly uptime_s: number | null
    }[] | null
    readonly vpn: {
      readonly status: string | null
      readonly active: number | null
    }
    readonly clients: {
      readonly online: number
      readonly wired: number
      readonly wireless: number
      readonly guest: number
      readonly known: number | null
    } | null
    readonly devices: {
      readonly total: number
      readonly offline: number
    } | null
    readonly inbound: {
      readonly has_gateway: boolean | null
      readonly forwards: readonly {
        readonly name: string
        readonly enabled: boolean
        readonly uplink: string
        readonly protocol: 'tcp' | 'udp' | 'tcp_udp'
        readonly from: string | null
        readonly ports: string
        readonly to_address: string
        readonly to_ports: string
        readonly to_name: string | null
        readonly explained: boolean | null
        readonly why: string
        readonly domains: readonly string[]
      }[] | null
      readonly rules: readonly {
        readonly name: string
        readonly lets_in: boolean
        readonly to: string
        readonly protocol: string
        readonly ports: string | null
      }[] | null
      readonly proxy: readonly {
        readonly port: number
        readonly reaches: boolean | null
        readonly evidence: string
      }[]
      readonly unreadable: number
      readonly detail: string | null
    }
  }[] | null
}

export interface NotificationChannel {
  readonly name: string
  readonly kind: 'mail' | 'webhook'
  readonly target: string
  readonly last_sent_at: string | null
  readonly last_sent_detail: string | null
  readonly last_error: string | null
  readonly owed: number
}

export interface Notifications {
  readonly configured: boolean
  readonly after_seconds: number
  readonly repeat_seconds: number | null
  readonly channels: readonly NotificationChannel[]
  readonly open: readonly OpenTrouble[]
  readonly owed: readonly OwedNotification[]
}

export interface OpenTrouble {
  readonly id: string
  readonly kind: 'route_open' | 'invariant_broken' | 'certificate_expired' | 'certificate_due' | 'edge_lost' | 'heartbeat_silent' | 'not_loaded' | 'dns_not_in_place' | 'consent_needed' | 'key_ending' | 'rotation_due' | 'repair_refused' | 'contested' | 'failing' | 'drift_lasting' | 'unfinished_lasting' | 'unknown_lasting'
  readonly severity: 'notice' | 'warning' | 'urgent' | 'critical'
  readonly component: string
  readonly key: string
  readonly domains: readonly string[]
  readonly since: string
  readonly message: string
  readonly remedy: string
  readonly acts: readonly Act[]
  readonly noticed_at: string | null
  readonly told: readonly string[]
  readonly seen: boolean
}

export interface Operation {
  readonly id: string
  readonly state: 'running' | 'succeeded' | 'failed' | 'interrupted'
  readonly method: string
  readonly path: string
  readonly actor: string
  readonly request_id: string
  readonly created_at: string
  readonly ended_at: string | null
  readonly progress: OperationProgress | null
  readonly steps: readonly {
    readonly component: string
    readonly key: string
    readonly state: 'writing' | 'looking' | 'waiting' | 'failed' | 'unfinished' | 'done'
    readonly started_at: string | null
    readonly took_ms: number | null
    readonly message: string | null
  }[]
  readonly answer: {
    readonly status: number
    readonly body: unknown
  } | null
  readonly committed: {
    readonly release: number | null
    readonly changes: number
  } | null
  readonly hint: string | null
}

export interface OperationProgress {
  readonly done: number
  readonly total: number
  readonly components: readonly {
    readonly name: string
    readonly done: number
    readonly total: number
    readonly state: 'writing' | 'looking' | 'waiting' | 'failed' | 'unfinished' | 'done'
  }[]
}

export interface OtherDnsRecord {
  readonly zone: string
  readonly account: string
  readonly name: string
  readonly type: string
  readonly values: readonly string[]
  readonly ttl: number | null
  readonly proxied: boolean | null
  readonly comment: string | null
  readonly domain: string | null
}

export interface Overview {
  readonly at: string
  readonly event: number
  readonly version: string
  readonly health: ControlPlaneHealth
  readonly alerts: {
    readonly observed_at: string
    readonly open: readonly OpenTrouble[]
  } | null
  readonly counts: DomainStats
  readonly release: {
    readonly release: number
    readonly at: string
    readonly actor: string
    readonly reason: string
  } | null
  readonly operations: readonly Operation[]
  readonly certificates: {
    readonly observed_at: string
    readonly detail: string | null
    readonly ends: readonly {
      readonly name: string
      readonly source: 'manager' | 'proxy'
      readonly not_after: string
      readonly domains: number
      readonly last_error: string | null
    }[]
    readonly later: number
    readonly missing: number
  } | null
  readonly modes_set: number
  readonly unknown_certificates: number
  readonly addresses: {
    readonly fixed: readonly string[]
    readonly reported: readonly {
      readonly host: string
      readonly ipv4: string | null
      readonly ipv6: string | null
      readonly changed_at: string
      readonly reported_at: string
    }[]
  }
  readonly audit: readonly AuditEntry[]
}

export interface OwedNotification {
  readonly id: string
  readonly channel: string
  readonly title: string
  readonly attempts: number
  readonly created_at: string
  readonly next_try_at: string
  readonly last_error: string | null
}

export interface Plan {
  readonly installation_id: string
  readonly scope: {
    readonly kind: 'all'
  } | {
    readonly kind: 'domain'
    readonly domain_id: number
  } | {
    readonly kind: 'component'
    readonly component: string
  } | {
    readonly kind: 'records'
    readonly domain_ids: readonly number[]
    readonly edits: readonly {
      readonly id: number
      readonly revision: number
      readonly set: Readonly<Record<string, unknown>>
    }[]
    readonly create: readonly Readonly<Record<string, unknown>>[]
  } | {
    readonly kind: 'call'
  }
  readonly base_release: number
  readonly rows: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly change: 'add' | 'update' | 'remove'
    readonly revision: number | null
    readonly renamed_from?: string
    readonly fields?: Readonly<Record<string, {
      readonly before: unknown
      readonly after: unknown
    }>>
  }[]
  readonly actions: readonly {
    readonly component: string
    readonly verb: 'create' | 'update' | 'delete'
    readonly item: string
    readonly before: string | null
    readonly after: string | null
    readonly reason: 'release' | 'repair'
    readonly of_neighbour: boolean
    readonly needs: readonly string[]
  }[]
  readonly details: readonly {
    readonly item: string
    readonly cause: Cause
    readonly domains: readonly string[]
    readonly detail: string
    readonly component: string
  }[]
  readonly unified_diff: string | null
  readonly warnings: readonly string[]
  readonly inputs: readonly {
    readonly component: string
    readonly key: string
    readonly digest: string | null
    readonly detail: string | null
    readonly observed_at: number
  }[]
  readonly guards: readonly {
    readonly rule: 'incomplete_read' | 'emptied_edition' | 'bulk_removal' | 'protected_name' | 'not_ours' | 'not_whole' | 'stale_release' | 'contested' | 'restored_from_backup' | 'outranks_protection' | 'weaker_policy'
    readonly message: string
    readonly confirmable: boolean
  }[]
  readonly refused: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly code: Code
    readonly message: string
  }[]
  readonly left: readonly {
    readonly component: string
    readonly key: string
    readonly mode: 'repair' | 'observe' | 'suspend'
    readonly reason: string
    readonly until: number | null
    readonly differences: number
  }[]
  readonly complete: boolean
  readonly applyable: boolean
  readonly hash: string
}

export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly code: Code
  readonly request_id: string
  readonly setting?: string
  readonly errors?: readonly {
    readonly loc: readonly (string | number)[]
    readonly msg: string
    readonly type: string
    readonly hint?: string
  }[]
}

export interface ProxyStatus {
  readonly configured: boolean
  readonly api: string | null
  readonly reachable: boolean | null
  readonly reason: 'unreachable' | 'refused' | 'unreadable' | null
  readonly version: string | null
  readonly written_for: string
  readonly version_fits: boolean | null
  readonly started_at: string | null
  readonly loaded: boolean | null
  readonly written: boolean | null
  readonly detail: string | null
  readonly runs_release: number | null
  readonly routers: {
    readonly total: number
    readonly in_error: readonly string[]
    readonly faults: readonly {
      readonly router: string
      readonly errors: readonly string[]
    }[]
  } | null
  readonly rejected: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly item: string
    readonly detail: string
  }[] | null
  readonly missing_entrypoints: readonly string[] | null
  readonly entrypoints_detail: string | null
  readonly shadowed: readonly {
    readonly item: string
    readonly domains: readonly string[]
    readonly stance: 'takes_all' | 'ties' | 'takes_some' | 'not_judged' | 'redirects_too' | 'defined_first'
    readonly provider: string
    readonly router: string | null
    readonly file: string | null
    readonly rule: string | null
    readonly priority: number | null
    readonly detail: string
  }[]
  readonly not_compared: string | null
  readonly observed_at: string | null
}

export interface Release {
  readonly number: number
  readonly created_at: string
  readonly actor: string
  readonly request_id: string
  readonly reason: string
  readonly plan_hash: string | null
  readonly warnings: readonly string[]
  readonly digests: Readonly<Record<string, string>>
  readonly results: Readonly<Record<string, string>>
  readonly rows_moved: number
}

export interface ReleaseDetail {
  readonly number: number
  readonly created_at: string
  readonly actor: string
  readonly request_id: string
  readonly reason: string
  readonly plan_hash: string | null
  readonly warnings: readonly string[]
  readonly digests: Readonly<Record<string, string>>
  readonly results: Readonly<Record<string, string>>
  readonly rows_moved: number
  readonly rows: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly change: 'add' | 'update' | 'remove'
    readonly revision: number | null
    readonly renamed_from?: string
    readonly fields?: Readonly<Record<string, {
      readonly before: unknown
      readonly after: unknown
    }>>
  }[]
}

export interface ReleaseDiff {
  readonly from: number | null
  readonly to: number
  readonly added: readonly {
    readonly domain_id: number
    readonly domain: string
  }[]
  readonly removed: readonly {
    readonly domain_id: number
    readonly domain: string
  }[]
  readonly changed: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly fields: Readonly<Record<string, {
      readonly before: unknown
      readonly after: unknown
    }>>
  }[]
  readonly unified_diff: string | null
  readonly note: string | null
}

export interface RoutedAlert {
  readonly name: string
  readonly severity: string | null
  readonly instance: string | null
  readonly since: string
  readonly summary: string | null
  readonly description: string | null
  readonly state: 'firing' | 'acknowledged' | 'covered'
  readonly silences: readonly string[]
}

export interface SearchResult {
  readonly q: string
  readonly hits: readonly {
    readonly kind: 'domain' | 'person' | 'record' | 'edge' | 'release' | 'request' | 'setting'
    readonly id: string
    readonly title: string
    readonly detail: string
  }[]
}

export interface SendAsAlias {
  readonly address: string
  readonly name: string | null
  readonly is_default: boolean
}

export interface Session {
  readonly id: string
  readonly actor: string
  readonly way: 'link' | 'key'
  readonly may: 'change' | 'read'
  readonly key: string
  readonly client: string
  readonly agent: string | null
  readonly created_at: string
  readonly used_at: string
  readonly expires_at: string
  readonly is_this: boolean
}

export interface Setting {
  readonly name: string
  readonly value: string | null
  readonly source: 'default' | 'environment' | 'file' | 'credential'
  readonly default: string | null
  readonly help: string
  readonly needs_restart: boolean
  readonly fault: string | null
}

export interface SiteToken {
  readonly id: string
  readonly host: string
  readonly label: string
  readonly state: 'valid' | 'rotation_due' | 'ending' | 'ended'
  readonly created_at: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
}

export interface SiteTokenIssued {
  readonly success: true
  readonly message: string
  readonly warnings: readonly string[]
  readonly token: SiteToken
  readonly key: string
  readonly lines: {
    readonly url: string
    readonly curl: string
    readonly unifi: {
      readonly service: 'custom'
      readonly hostname: string
      readonly username: string
      readonly password: string
      readonly server: string
    }
    readonly inadyn: string
    readonly ddclient: string
  }
}

export interface SshClient {
  readonly fingerprint: string
  readonly type: string
  readonly bits: number | null
  readonly weakness: string | null
  readonly key: string
  readonly name: string
  readonly managed: boolean
  readonly state: 'deployed' | 'missing' | 'altered' | 'unlisted' | 'foreign' | 'unknown'
  readonly options: {
    readonly pty: boolean
    readonly port_forwarding: boolean
    readonly agent_forwarding: boolean
    readonly x11_forwarding: boolean
    readonly user_rc: boolean
    readonly from: readonly string[]
    readonly command: string | null
    readonly permit_open: readonly string[]
    readonly permit_listen: readonly string[]
    readonly expires_at: string | null
    readonly verify_required: boolean
    readonly no_touch_required: boolean
  } | null
  readonly line_options: string | null
  readonly also_foreign: boolean
  readonly revision: number | null
  readonly created_at: string | null
  readonly updated_at: string | null
  readonly cause: Cause | null
}

export interface SshClientAdded {
  readonly success: true
  readonly message: string
  readonly fingerprint: string
  readonly type: string
  readonly bits: number
  readonly name: string
  readonly warnings: readonly string[]
  readonly created: boolean
}

export interface SshClients {
  readonly configured: boolean
  readonly place: string | null
  readonly reachable: boolean | null
  readonly detail: string | null
  readonly offences: readonly string[] | null
  readonly offences_by_part: readonly {
    readonly by: 'owner' | 'everybody' | 'group'
    readonly fault: string
    readonly remedy: string
  }[] | null
  readonly drift: boolean | null
  readonly differences: readonly {
    readonly item: string
    readonly cause: Cause
    readonly domains: readonly string[]
    readonly detail: string
  }[]
  readonly clients: readonly SshClient[]
}

export interface SsoDrift {
  readonly ok: boolean
  readonly drift: boolean | null
  readonly differences: readonly {
    readonly item: string
    readonly cause: Cause
    readonly domains: readonly string[]
    readonly detail: string
  }[]
  readonly configured: boolean
  readonly protected_domains: number
  readonly missing_rule: readonly {
    readonly domain: string
    readonly cause: Cause | 'proxy_differs' | 'answers_without_sign_in' | 'believes_everybody' | 'portal_protected' | 'outside_cookie_domains' | 'no_second_factor' | 'no_endpoint'
    readonly detail: string
    readonly cure: string
  }[]
  readonly extra_rule: readonly {
    readonly domain: string
    readonly cause: Cause | 'proxy_differs' | 'answers_without_sign_in' | 'believes_everybody' | 'portal_protected' | 'outside_cookie_domains' | 'no_second_factor' | 'no_endpoint'
    readonly detail: string
    readonly cure: string
  }[]
  readonly weaker_policy: readonly {
    readonly domain: string
    readonly cause: Cause | 'proxy_differs' | 'answers_without_sign_in' | 'believes_everybody' | 'portal_protected' | 'outside_cookie_domains' | 'no_second_factor' | 'no_endpoint'
    readonly detail: string
    readonly cure: string
  }[]
  readonly missing_middleware: readonly {
    readonly domain: string
    readonly cause: Cause | 'proxy_differs' | 'answers_without_sign_in' | 'believes_everybody' | 'portal_protected' | 'outside_cookie_domains' | 'no_second_factor' | 'no_endpoint'
    readonly detail: string
    readonly cure: string
  }[]
  readonly extra_middleware: readonly {
    readonly domain: string
    readonly cause: Cause | 'proxy_differs' | 'answers_without_sign_in' | 'believes_everybody' | 'portal_protected' | 'outside_cookie_domains' | 'no_second_factor' | 'no_endpoint'
    readonly detail: string
    readonly cure: string
  }[]
  readonly not_loaded: readonly {
    readonly domain: string
    readonly cause: Cause | 'proxy_differs' | 'answers_without_sign_in' | 'believes_everybody' | 'portal_protected' | 'outside_cookie_domains' | 'no_second_factor' | 'no_endpoint'
    readonly detail: string
    readonly cure: string
  }[]
  readonly open_route: readonly {
    readonly domain: string
    readonly cause: Cause | 'proxy_differs' | 'answers_without_sign_in' | 'believes_everybody' | 'portal_protected' | 'outside_cookie_domains' | 'no_second_factor' | 'no_endpoint'
    readonly detail: string
    readonly cure: string
  }[]
  readonly shut_out: readonly {
    readonly domain: string
    readonly cause: Cause | 'proxy_differs' | 'answers_without_sign_in' | 'believes_everybody' | 'portal_protected' | 'outside_cookie_domains' | 'no_second_factor' | 'no_endpoint'
    readonly detail: string
    readonly cure: string
  }[]
  readonly unknown: readonly {
    readonly part: 'rules' | 'loaded' | 'routes_file' | 'proxy' | 'proof' | 'sign_in'
    readonly domain: string | null
    readonly cause: 'not_configured' | 'not_provable' | 'unreadable' | 'not_seen'
    readonly detail: string
    readonly cure: string
  }[]
  readonly not_checked: readonly {
    readonly part: 'rules' | 'loaded' | 'routes_file' | 'proxy' | 'proof' | 'sign_in'
    readonly domain: string | null
    readonly cause: 'not_configured' | 'not_provable' | 'unreadable' | 'not_seen'
    readonly detail: string
    readonly cure: string
  }[]
  readonly quarantine: readonly {
    readonly domain_id: number
    readonly domain: string
    readonly since: string
    readonly evidence: string
  }[]
  readonly observed_at: string
}

export interface SystemStatus {
  readonly at: string
  readonly version: string
  readonly node: string
  readonly pid: number
  readonly started_at: string
  readonly uptime_seconds: number
  readonly memory_bytes: number
  readonly event_loop: {
    readonly delay_ms: number
    readonly utilization: number
  }
  readonly loops: readonly {
    readonly name: string
    readonly component: string
    readonly kind: 'kept' | 'watched'
    readonly ok: boolean | null
    readonly message: string
    readonly last_run_at: string | null
    readonly next_run_at: string | null
    readonly failures: number | null
  }[]
  readonly backups: {
    readonly newest: {
      readonly path: string
      readonly at: string
      readonly bytes: number
    } | null
    readonly restore_tested: {
      readonly at: string
      readonly ok: boolean
    } | null
  }
}

export interface User {
  readonly username: string
  readonly display_name: string | null
  readonly email: string | null
  readonly groups: readonly string[]
  readonly origin: 'invited' | 'file'
  readonly disabled: boolean | null
  readonly in_file: boolean | null
  readonly drift: boolean | null
  readonly cause: Cause | null
  readonly revoked_at: string | null
  readonly unproven: string | null
  readonly invited_at: string | null
  readonly invitation: {
    readonly step: 'planned' | 'hashed' | 'written' | 'loaded' | 'done'
    readonly detail: string | null
    readonly mail: 'sent' | 'not_known' | 'not_sent' | null
  } | null
}

export interface UserInvited {
  readonly success: true
  readonly message: string
  readonly warnings: readonly string[]
  readonly username: string
  readonly user: User
  readonly read: boolean | null
  readonly instructions: {
    readonly subject: string
    readonly text: string
  }
}
