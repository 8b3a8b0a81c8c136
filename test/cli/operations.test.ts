/**
 * Every operation of the API has a verb that calls it, or stands in the list of those that have none, with the reason. Both are
 * held against the description of the API: a new operation is in neither, and fails.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ApiRequest } from '../../src/cli/api.ts'
import { runCommand } from '../../src/cli/run.ts'
import type { Surroundings } from '../../src/cli/verb.ts'
import { allVerbs, VERBS } from '../../src/verbs.ts'

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>
}

const { paths } = JSON.parse(
  readFileSync(new URL('../../schema/openapi.json', import.meta.url), 'utf8'),
) as Description

const OPERATIONS = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId }]) =>
    operationId === undefined ? [] : [{ id: operationId, method: method.toUpperCase(), path }],
  ),
)

/** By operation: the command line that calls it. */
const COMMANDS: Readonly<Record<string, string>> = {
  health: 'health',
  ready: 'health ready',
  events: 'watch',
  reconcile: 'reconcile dns',
  modes: 'mode',
  setMode: 'mode set observe',
  endMode: 'mode resume dns',
  settings: 'config',
  readAudit: 'audit',
  listDomains: 'domains',
  createDomain: 'add app.example.com 10.0.0.5:80 --save',
  domainStats: 'domains --counts',
  domainByName: 'show app.example.com',
  renderDomains: 'render',
  domainDrift: 'drift routes',
  getDomain: 'show 7',
  updateDomain: 'set 7 backend_port=81',
  deleteDomain: 'rm 7 --yes',
  exposeDomain: 'add app.example.com 10.0.0.5:80',
  activateDomain: 'on 7',
  deactivateDomain: 'off 7 --yes',
  disableDomain: 'disable 7 --yes',
  deployDomain: 'deploy 7',
  listConditions: 'domains',
  drift: 'drift',
  explainDomain: 'explain 7',
  ignoredDifferences: 'drift ignored',
  ignoreDifference: 'drift ignore A_app --for 1d --reason moving',
  endIgnoredDifference: 'drift ignore-end A_app',
  saveTheirs: 'drift save-theirs http.services.plumbline-site_app.example.com',
  search: 'search app',
  domainHistory: 'history 7',
  domainTraffic: 'proxy traffic 7',
  domainEditions: 'discard 7 --dry-run',
  checkDomain: 'check new.example.com 10.0.0.5:80',
  discardDomain: 'discard 7 --yes',
  applyEstate: 'import estate.yaml',
  listReleases: 'releases',
  getRelease: 'releases 7',
  getReleasedRoutes: 'releases routes 7',
  diffRelease: 'releases diff 7',
  restoreRelease: 'releases restore 7',
  resumeReleases: 'releases resume --take world',
  dnsZones: 'dns zones',
  dnsRecords: 'dns records',
  adoptDnsRecord: 'dns adopt A app.example.com',
  releaseDnsRecord: 'dns release A app.example.com',
  removeDnsRecord: 'dns remove A app.example.com',
  dnsStatus: 'dns status',
  dnsIntegrity: 'dns integrity',
  acmeStatus: 'certificates proxy',
  domainCertificate: 'certificates show 7',
  listCertificates: 'certificates',
  reconcileTls: 'certificates reconcile',
  ssoDrift: 'access drift',
  access: 'access --user jo',
  liftQuarantine: 'access lift app.example.com --yes',
  users: 'users',
  inviteUser: 'users invite jo@example.com Jo',
  user: 'users show jo',
  revokeUser: 'users revoke jo --yes',
  resendInvitation: 'users resend jo',
  setUserGroups: 'users groups jo family',
  emailAliases: 'mail aliases',
  sendEmail: 'mail send me@example.com jo@example.com Test Text',
  refreshEmailToken: 'mail refresh-token',
  emailHealth: 'mail',
  apiKeys: 'keys',
  issueApiKey: 'keys issue ci',
  rotateApiKey: 'keys rotate 3',
  revokeApiKey: 'keys revoke 3 --yes',
  credentials: 'keys all',
  signInCode: 'console',
  listSessions: 'console sessions',
  endSession: 'console end 1f3c',
  siteTokens: 'token list',
  issueSiteToken: 'token issue home.example.com',
  revokeSiteToken: 'token revoke 3 --yes',
  rotateSiteToken: 'token rotate 3',
  ddnsHosts: 'token hosts',
  sshClients: 'ssh-clients',
  addSshClient: 'ssh-clients add id.pub',
  removeSshClient: 'ssh-clients remove SHA256:abc --yes',
  listEdges: 'edges',
  createEdge: 'edges add fra1',
  getEdge: 'edges show fra1',
  updateEdge: 'edges drain fra1',
  listHeartbeats: 'heartbeats',
  addHeartbeat: 'heartbeats add external',
  removeHeartbeat: 'heartbeats remove external --yes',
  rotateHeartbeatToken: 'heartbeats rotate external',
  revokeHeartbeatTokens: 'heartbeats revoke external --yes',
  removeEdge: 'edges remove fra1 --yes',
  rotateEdgeToken: 'edges rotate fra1',
  revokeEdgeTokens: 'edges revoke fra1 --yes',
  discover: 'discover',
  discoverContainers: 'discover containers',
  discoverClients: 'discover clients',
  networkSummary: 'discover network',
  lanHosts: 'discover hosts',
  effectiveConfig: 'explain 7',
  autodetect: 'detect 7',
  middlewares: 'proxy middlewares',
  services: 'proxy services',
  metricsTargets: 'proxy targets',
  metricsSummary: 'proxy figures',
  controlPlaneHealth: 'status',
  alerts: 'alerts',
  ackAlert: 'alerts ack CephOsdDown --for 8h',
  testAlert: 'alerts test',
  notifications: 'notifications',
  testNotifications: 'notifications test',
  deployAll: 'deploy --all',
  deployProxy: 'deploy --proxy',
  deployStatus: 'status',
  createPlan: 'plan',
  getPlan: 'apply 5bd35b49-44f6-4fb3-ac8e-541fd371411e',
  applyPlan: 'apply 5bd35b49-44f6-4fb3-ac8e-541fd371411e --yes',
}

/** As the page of the command has them: an operation that no verb calls, and why. */
const EXCEPTIONS = new Map(
  readFileSync(new URL('../../src/cli/README.md', import.meta.url), 'utf8')
    .split('## What has no verb')[1]!
    .split('\n## ')[0]!
    .split('\n')
    .flatMap((line) => {
      const [, id, reason] = /^\| `([A-Za-z0-9]+)` +\|.*\| (.+?) *\|$/.exec(line) ?? []
      return id === undefined ? [] : [[id, reason!] as const]
    }),
)

it('each operation has a verb, or stands among those that have none with the reason', () => {
  const known = [...Object.keys(COMMANDS), ...EXCEPTIONS.keys()]
  expect(known.toSorted()).toEqual(OPERATIONS.map(({ id }) => id).toSorted())
  for (const reason of EXCEPTIONS.values()) expect(reason.split(' ').length).toBeGreaterThan(4)
})

/** What is read of a thing before it is ended. */
const LOOKED_UP: Readonly<Record<string, unknown>> = {
  '/api/keys': [{ id: 3, name: 'ci', state: 'valid', created_at: '', last_used_at: null }],
  '/api/ddns/tokens': [{ id: 3, host: 'app.example.com', label: '', state: 'valid', last_used_at: null }],
  '/api/sessions': [{ id: '1f3c000000000000', actor: 'session:1f3c', way: 'key' }],
  '/api/users': [{ username: 'jo', groups: [] }],
  '/api/ssh-clients': { clients: [] },
  '/api/sso/drift': { quarantine: [] },
  '/api/heartbeats': [{ name: 'external', state: 'silent', last_seen: null }],
}

/** Looks up what a call needs, and answers everything else with a refusal, so that nothing comes after the call. */
function recorder() {
  const calls: ApiRequest[] = []
  const call = async (request: ApiRequest) => {
    calls.push(request)
    const { method, path } = request
    const ok = (body: unknown) => ({ status: 200, headers: {}, body })
    if (path.startsWith('/api/domains/by-name/')) return ok({ id: 7 })
    if (method === 'GET' && path === '/api/domains/7')
      return ok({ id: 7, domain: 'app.example.com', status: 'active', revision: 1 })
    if (path === '/api/ccm/edge/edges') return ok([{ id: 3, name: 'fra1', last_seen: null }])
    if (method === 'GET' && path in LOOKED_UP) return ok(LOOKED_UP[path])
    if (path === '/api/domains/7/explain' || path === '/api/deploy/status') return ok({ warnings: [] })
    return { status: 409, headers: {}, body: { detail: 'Recorded.' } }
  }
  const surroundings = {
    version: '0',
    api: async () => ({ where: 'here', call, close: async () => undefined }),
    readFile: async () => 'text',
    documents: async () => ({
      read: () => ({ ok: true, data: { plumbline: 1, domains: [] } }),
      write: () => '',
    }),
    verbs: allVerbs,
  } as unknown as Surroundings
  return { calls, surroundings }
}

const ASKED = new Set(['getPlan'])

describe.each(OPERATIONS.filter(({ id }) => !EXCEPTIONS.has(id)))('$id', ({ id, method, path }) => {
  it('is called by its command', async () => {
    const { calls, surroundings } = recorder()
    const write = {
      out: () => undefined,
      note: () => undefined,
      ...(ASKED.has(id) && { ask: async () => 'n' }),
    }
    const line = COMMANDS[id] ?? 'nothing'
    await runCommand(line.split(' '), VERBS, surroundings, write).catch((error: unknown) => {
      // What is recorded is no whole answer.
      if (!(error instanceof TypeError)) throw error
    })
    const template = new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/?]+')}(?:\\?|$)`)
    const made = calls.map((call) => `${call.method} ${call.path}`)
    expect(
      calls.some((call) => call.method === method && template.test(call.path)),
      `${line} calls ${made.join(', ')}`,
    ).toBe(true)
  })
})
