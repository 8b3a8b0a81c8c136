/** What lists say of an estate that a test house does not have, for the pictures of pages that would be empty without it. */
import type {
  Alerts,
  DeployStatus,
  DomainTraffic,
  EmailAliases,
  EmailHealth,
  Heartbeats,
  Notifications,
  SshClients,
  User,
} from '../../src/ui/api/types.ts'
import type { SshTargets } from '../../src/ui/api/companions/inventory.ts'

const MINUTE = 60_000
const ago = (minutes: number): string => new Date(Date.now() - minutes * MINUTE).toISOString()

const notifications: Notifications = {
  configured: true,
  after_seconds: 300,
  repeat_seconds: 86_400,
  channels: [
    {
      name: 'mail',
      kind: 'mail',
      target: 'ops@home.example',
      last_sent_at: ago(190),
      last_sent_detail: null,
      last_error: null,
      owed: 0,
    },
    {
      name: 'webhook',
      kind: 'webhook',
      target: 'https://chat.home.example/hooks/plumbline',
      last_sent_at: null,
      last_sent_detail: null,
      last_error: 'chat.home.example answered 503: the service is not available.',
      owed: 1,
    },
  ],
  open: [
    {
      id: 't1',
      kind: 'drift_lasting',
      severity: 'warning',
      component: 'routes',
      key: 'routes',
      domains: ['wiki.home.example'],
      since: ago(40),
      message: 'Routes differ for 40 min.',
      remedy: 'Put them back.',
      acts: [],
      noticed_at: ago(35),
      told: ['mail'],
      seen: false,
    },
  ],
  owed: [
    {
      id: 'o1',
      channel: 'webhook',
      title: 'Routes differ',
      attempts: 3,
      created_at: ago(35),
      next_try_at: ago(-4),
      last_error: 'chat.home.example answered 503: the service is not available.',
    },
  ],
}

const mail: EmailHealth = {
  configured: true,
  ok: false,
  provider: 'gmail',
  detail: 'The consent was taken back: somebody has to give it again.',
  token: { state: 'needs_consent', expires_at: null, reason: 'invalid_grant' },
  budget: { minute: { used: 0, limit: 20 }, day: { used: 14, limit: 400 } },
  last_sent_at: ago(190),
  last_unknown_at: ago(2000),
}

const senders: EmailAliases = [
  { address: 'plumbline@home.example', name: 'Plumbline', is_default: true },
  { address: 'family@home.example', name: null, is_default: false },
]

const heartbeats: Heartbeats = [
  {
    name: 'backup-nas',
    state: 'alive',
    reason: 'Reported 6 min ago.',
    last_seen: ago(6),
    silent_since: null,
    created_at: ago(90_000),
  },
  {
    name: 'photos-import',
    state: 'silent',
    reason: 'It was to report every hour, and has not for 5 h.',
    last_seen: ago(300),
    silent_since: ago(240),
    created_at: ago(90_000),
  },
  {
    name: 'offsite-copy',
    state: 'pending',
    reason: 'It has not reported yet.',
    last_seen: null,
    silent_since: null,
    created_at: ago(30),
  },
]

const alerts: Alerts = [
  {
    name: 'DiskFull',
    severity: 'critical',
    instance: 'nas.home.example:9100',
    since: ago(95),
    summary: 'The file system /srv is 97 % full and fills within 4 h.',
    description: null,
    state: 'firing',
    silences: [],
  },
  {
    name: 'HighTemperature',
    severity: 'warning',
    instance: '10.20.0.31:9100',
    since: ago(20),
    summary: null,
    description: 'CPU above 85 °C for 15 min.',
    state: 'acknowledged',
    silences: ['a1'],
  },
  {
    name: 'TargetDown',
    severity: null,
    instance: null,
    since: ago(95),
    summary: null,
    description: null,
    state: 'covered',
    silences: [],
  },
]

const HOST_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0nB8cqkWvKq2r1ZbXrGd8sQ0O5kzZ1V6cXjJt9Q0aB'

const target = (name: string, over: Partial<SshTargets[number]>): SshTargets[number] => ({
  name,
  address: '10.20.0.14',
  port: 22,
  user: 'root',
  vmid: 1401,
  cluster: 'lab',
  source: 'guest',
  state: 'present',
  host_key: HOST_KEY,
  key_origin: 'contact',
  shown_key: null,
  shown_at: null,
  contacted_at: ago(4),
  released: true,
  ...over,
})

const targets: SshTargets = [
  target('git', {}),
  target('media-transcoder-02', { address: '10.20.0.131', state: 'new', released: false, vmid: 1431 }),
  target('nas', { address: '192.168.1.5', user: 'admin', source: 'setting', vmid: null, cluster: null }),
  target('wiki', {
    address: '10.20.0.22',
    state: 'changed',
    shown_key: HOST_KEY.replace('J0nB8', 'Zz9Qk'),
    shown_at: ago(90),
  }),
  target('old', { address: '10.20.0.90', state: 'gone' }),
  target('printer', {
    address: '192.168.1.77',
    state: 'unknown',
    host_key: null,
    key_origin: null,
    contacted_at: null,
  }),
]

const key = (name: string, over: Partial<SshClients['clients'][number]>): SshClients['clients'][number] => ({
  fingerprint: 'SHA256:Yq1m0cS2Zl0uQmVx8rK4tB5nJ7wD9fE3gH6iLpOaUsk',
  type: 'ssh-ed25519',
  bits: 256,
  weakness: null,
  key: HOST_KEY,
  name,
  managed: true,
  state: 'deployed',
  options: {
    pty: true,
    port_forwarding: true,
    agent_forwarding: false,
    x11_forwarding: false,
    user_rc: true,
    from: [],
    command: null,
    permit_open: [],
    permit_listen: [],
    expires_at: null,
    verify_required: false,
    no_touch_required: false,
  },
  line_options: null,
  also_foreign: false,
  revision: 1,
  created_at: ago(50_000),
  updated_at: ago(50_000),
  cause: null,
  ...over,
})

const clients: SshClients = {
  configured: true,
  place: '/root/.ssh/authorized_keys at 10.20.0.2',
  reachable: true,
  detail: null,
  offences: null,
  offences_by_part: null,
  drift: true,
  differences: [],
  clients: [
    key('ana@laptop', {}),
    key('backup@nas', {
      state: 'missing',
      fingerprint: 'SHA256:0cS2Zl0uQmVx8rK4tB5nJ7wD9fE3gH6iLpOaUskYq1m',
    }),
    key('root@elsewhere', {
      managed: false,
      state: 'foreign',
      type: 'ssh-rsa',
      bits: 1024,
      weakness: 'RSA of less than 2048 bits is not secure.',
      fingerprint: 'SHA256:mVx8rK4tB5nJ7wD9fE3gH6iLpOaUskYq1m0cS2Zl0uQ',
      revision: null,
      created_at: null,
      updated_at: null,
    }),
  ],
}

const person = (username: string, over: Partial<User>): User => ({
  username,
  display_name: null,
  email: `${username}@home.example`,
  groups: ['family'],
  origin: 'invited',
  disabled: false,
  in_file: true,
  drift: false,
  cause: null,
  revoked_at: null,
  unproven: null,
  invited_at: ago(9000),
  invitation: { step: 'done', detail: null, mail: 'sent' },
  ...over,
})

const people: readonly User[] = [
  person('ana', {
    display_name: 'Ana Example',
    groups: ['admins', 'family'],
    origin: 'file',
    invitation: null,
  }),
  person('ben', { display_name: 'Ben Example' }),
  person('lou', {
    invitation: { step: 'written', detail: 'The mail was not accepted: mailbox full.', mail: null },
  }),
  person('max', { disabled: true, revoked_at: ago(2000), groups: [] }),
]

const counted: DomainTraffic = {
  domain_id: 1,
  domain: 'wiki.home.example',
  configured: true,
  requests: 128_431,
  server_errors: 37,
  since: ago(9000),
  observed_at: ago(0.2),
  detail: null,
}

/** In place of a proxy that nobody runs. */
export const withProxy = (body: DeployStatus): DeployStatus => ({
  ...body,
  proxy: {
    ...body.proxy,
    configured: true,
    reachable: true,
    reason: null,
    version: '3.7.9',
    loaded: true,
    runs_release: body.newest?.release ?? null,
    detail: null,
    routers: {
      total: 31,
      in_error: ['git-home-example@file'],
      faults: [
        { router: 'git-home-example@file', errors: ['the service "git-home-example@file" does not exist'] },
      ],
    },
  },
})

/** By the address that they are the answer of. */
export const ANSWERS: Readonly<Record<string, unknown>> = {
  '/api/notifications': notifications,
  '/api/email/health': mail,
  '/api/email/aliases': senders,
  '/api/heartbeats': heartbeats,
  '/api/alerts': alerts,
  '/companions/inventory/api/ssh-targets': targets,
  '/api/ssh-clients': clients,
  '/api/users': people,
  '/api/domains/1/traffic': counted,
}
