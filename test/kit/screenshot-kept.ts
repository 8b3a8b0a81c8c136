/** What an estate that is lived in answers of its certificates, edges, reported addresses and access: for the pictures. */
import type {
  Access,
  Certificates,
  DdnsHosts,
  Edge,
  ListedSiteToken,
  SsoDrift,
} from '../../src/ui/api/types.ts'

const MINUTE = 60_000
const DAY = 1440
const ago = (minutes: number): string => new Date(Date.now() - minutes * MINUTE).toISOString()

type Certificate = Certificates['certificates'][number]

const certificate = (name: string, ends_days: number, over: Partial<Certificate> = {}): Certificate => {
  const state =
    ends_days < 0
      ? 'expired'
      : ends_days < 14
        ? 'under_14_days'
        : ends_days < 30
          ? 'under_30_days'
          : 'healthy'
  return {
    source: 'manager',
    name,
    names: [name],
    state,
    drift: false,
    cause: null,
    certificate: {
      names: [name],
      not_before: ago((90 - ends_days) * DAY),
      not_after: ago(-ends_days * DAY),
      issuer: 'Let’s Encrypt E7',
      serial: '04:8f:1a:77:2c:0d:9e:51:b3:6a:40:ce:15:92:7d:e8:03:fb',
      key_type: 'EC P-256',
      fingerprint:
        '3b:9c:51:04:7e:a2:f8:16:dd:90:4b:27:6c:e1:58:0f:b7:33:c4:85:1e:99:62:da:70:2f:4d:ab:18:e6:93:5c',
      state,
    },
    domains: [{ domain_id: 1, domain: name.replace('*', 'wiki') }],
    wanted: true,
    in_use: true,
    directory: 'letsencrypt',
    resolver: null,
    order_step: null,
    next_attempt_at: ago(-Math.max(1, ends_days - 30) * DAY),
    last_error: null,
    budget: { issued: 1, most: 4, within_days: 7 },
    acts: [],
    ...over,
  }
}

const RETRY: Certificate['acts'][number] = {
  id: 'retry',
  label: 'Try now',
  method: 'POST',
  path: '/api/tls/reconcile?retry=true',
  body: null,
  confirm: 'asks',
  why_not: null,
}

const listed: readonly Certificate[] = [
  certificate('*.home.example', 61, {
    names: ['*.home.example', 'home.example'],
    domains: ['wiki', 'git', 'chat', 'media', 'photos'].map((host, at) => ({
      domain_id: at + 1,
      domain: `${host}.home.example`,
    })),
  }),
  certificate('*.lab.example', 9, {
    last_error:
      'The authority has not seen the record _acme-challenge.lab.example: NXDOMAIN at ns2.lab.example.',
    next_attempt_at: ago(-41),
    acts: [RETRY],
  }),
  certificate('vpn.home.example', 24, { order_step: 'presented' }),
  certificate('mail.home.example', 47, { cause: 'not_served' }),
  certificate('new.home.example', 0, {
    certificate: null,
    state: 'missing',
    drift: true,
    cause: 'pending_deploy',
    in_use: false,
    next_attempt_at: null,
  }),
  certificate('old.home.example', -2, { source: 'proxy', resolver: 'le', drift: null, directory: null }),
  certificate('status.home.example', 38, { source: 'proxy', resolver: 'le', drift: null, directory: null }),
]

const certificates: Certificates = {
  manager: { configured: true, directory: 'letsencrypt', detail: null },
  drift: true,
  differences: [],
  wire: {
    configured: true,
    address: { host: '127.0.0.1', port: 443 },
    drift: true,
    names: 31,
    not_served: 1,
    detail: null,
    observed_at: ago(2),
  },
  store: { configured: true, fresh: true, detail: null },
  counts: { missing: 1, expired: 1, under_14_days: 1, under_30_days: 1, healthy: 3 },
  certificates: [...listed],
}

const RELEASED = '9f2c41d07ab8e65310c4'

const edge = (id: number, name: string, over: Partial<Edge>): Edge => ({
  id,
  name,
  hostname: `${name}.example.net`,
  address: `198.51.100.${10 + id}`,
  region: 'eu-west',
  state: 'active',
  desired_state: 'active',
  revision: 1,
  reason: 'It fetched the released routes 12 s ago.',
  last_seen: ago(0.2),
  config_version: RELEASED,
  served_version: RELEASED,
  current_version: RELEASED,
  up_to_date: true,
  created_at: ago(80 * DAY),
  updated_at: ago(DAY),
  ...over,
})

const edges: readonly Edge[] = [
  edge(1, 'fra-1', {}),
  edge(2, 'lon-1', {
    up_to_date: false,
    config_version: '17b03ce9a4d2f86055e1',
    reason: 'It runs an older release than the one that it was given.',
  }),
  edge(3, 'nyc-1', {
    region: 'us-east',
    state: 'offline',
    last_seen: ago(190),
    up_to_date: null,
    reason: 'It has not fetched for 3 h; it fetches every 10 s.',
  }),
  edge(4, 'par-1', { state: 'draining', desired_state: 'draining', reason: 'It is on its way out.' }),
  edge(5, 'sin-1', {
    region: 'ap-south',
    state: 'pending',
    last_seen: null,
    config_version: null,
    served_version: null,
    up_to_date: null,
    reason: 'It has not fetched yet.',
    created_at: ago(6),
  }),
]

type Host = DdnsHosts['hosts'][number]

const host = (name: string, ipv4: string, over: Partial<Host>): Host => ({
  host: name,
  domain_id: 1,
  is_hub: false,
  ddns_enabled: true,
  in_force: true,
  because: null,
  counts: { source: 'reported', addresses: [ipv4] },
  ipv4,
  ipv6: null,
  changed_at: ago(3 * DAY),
  reported_at: ago(4),
  flapping: [],
  waiting: [],
  refused: null,
  tokens: 1,
  history: [],
  ...over,
})

const hosts: DdnsHosts = {
  rotation: { next_at: ago(-12 * DAY), last_at: ago(78 * DAY), rotation_due: ['cabin.home.example'] },
  hosts: [
    host('home.example', '203.0.113.7', {
      is_hub: true,
      ipv6: '2001:db8:7::1',
      counts: { source: 'reported', addresses: ['203.0.113.7', '2001:db8:7::1'] },
    }),
    host('cabin.home.example', '198.51.100.88', {
      flapping: [{ type: 'A', held: '198.51.100.88', asked: '198.51.100.91', until: ago(-20) }],
    }),
    host('office.home.example', '192.0.2.60', {
      refused: {
        at: ago(2),
        code: 'private_address',
        detail: '10.0.0.4 is private: nobody outside reaches it.',
      },
    }),
    host('garage.home.example', '203.0.113.91', {
      counts: null,
      ipv4: null,
      reported_at: null,
      changed_at: null,
      tokens: 0,
    }),
    host('boat.home.example', '203.0.113.17', { in_force: false, because: 'static_ip' }),
  ],
}

const token = (id: string, name: string, over: Partial<ListedSiteToken>): ListedSiteToken => ({
  id,
  host: name,
  label: '',
  state: 'valid',
  created_at: ago(78 * DAY),
  expires_at: null,
  last_used_at: ago(4),
  has_record: true,
  ...over,
})

const tokens: readonly ListedSiteToken[] = [
  token('a1', 'home.example', { label: 'UniFi gateway' }),
  token('b2', 'cabin.home.example', { state: 'rotation_due', label: 'inadyn' }),
  token('c3', 'office.home.example', { state: 'ending', expires_at: ago(-3 * DAY) }),
  token('d4', 'boat.home.example', { last_used_at: null }),
]

const RULES = [
  ['wiki.home.example', 'one_factor', ['family', 'admins']],
  ['git.home.example', 'two_factor', ['admins']],
  ['photos.home.example', 'one_factor', ['family', 'admins']],
  ['media.home.example', 'one_factor', ['family', 'admins']],
  ['status.home.example', 'bypass', []],
  ['chat.home.example', 'two_factor', ['admins', 'family']],
  ['router.home.example', 'deny', []],
] as const

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  ana: ['admins', 'family'],
  ben: ['family'],
  lou: ['family'],
}

const WORDS = {
  bypass: 'Anybody opens it, without signing in.',
  one_factor: 'Whoever signs in with one factor and is in the group opens it.',
  two_factor: 'Whoever signs in with two factors and is in the group opens it.',
  deny: 'A rule shuts out everybody.',
} as const

/** Of one person, of one domain, or of anybody, as the query asks. */
function accessOf(url: URL): Access {
  const [user, asked] = [url.searchParams.get('user'), url.searchParams.get('host')]
  const people = user !== null ? [user] : asked !== null ? Object.keys(GROUPS) : [null]
  const rules = RULES.filter(([domain]) => asked === null || domain === asked)
  return {
    rules: 'running',
    people: true,
    notes: [],
    gaps: [],
    entries: rules.flatMap(([domain, policy, wanted]) =>
      people.map((username) => {
        const groups = username === null ? [] : (GROUPS[username] ?? [])
        const isIn = wanted.some((group) => groups.includes(group))
        return {
          domain,
          served_by: domain,
          username,
          groups: [...groups],
          disabled: false,
          policy,
          can_open: policy === 'bypass' || (username !== null && policy !== 'deny' && isIn),
          exceptions:
            domain === 'photos.home.example'
              ? [{ policy: 'bypass' as const, resources: ['^/share/'], methods: ['GET'], networks: [] }]
              : [],
          detail: WORDS[policy],
        }
      }),
    ),
  }
}

const drift: SsoDrift = {
  ok: false,
  drift: true,
  differences: [],
  configured: true,
  protected_domains: 6,
  missing_rule: [],
  extra_rule: [
    {
      domain: 'old.home.example',
      cause: 'edited',
      detail: 'A rule lets in the group staff, and no domain asks for it.',
      cure: 'It is taken out with the next pass.',
    },
  ],
  weaker_policy: [],
  missing_middleware: [],
  extra_middleware: [],
  not_loaded: [],
  open_route: [],
  shut_out: [],
  unknown: [],
  not_checked: [],
  quarantine: [],
  observed_at: ago(1),
}

/** By the address that they are the answer of. */
export const KEPT_ANSWERS: Readonly<Record<string, (url: URL) => unknown>> = {
  '/api/certificates': () => certificates,
  '/api/ccm/edge/edges': () => edges,
  '/api/ddns/hosts': () => hosts,
  '/api/ddns/tokens': () => tokens,
  '/api/access': accessOf,
  '/api/sso/drift': () => drift,
}
