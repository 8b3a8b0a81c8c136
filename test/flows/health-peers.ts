/** Everything that a fully configured house leans on: real servers where they run here, strict stand-ins else, each behind a way that can fail. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { acmeJson, certificateAuthority } from '../fakes/certificate-authority.ts'
import { type DockerApi, dockerApi } from '../fakes/lab/docker.ts'
import { UNIFI_KEY, type UnifiApi, unifiApi } from '../fakes/lab/unifi.ts'
import { CLIENT, type FakeGmail, fakeGmail } from '../fakes/mail/gmail.ts'
import { PROXMOX_TOKEN, type ProxmoxApi, proxmoxApi } from '../fakes/proxmox/proxmox.ts'
import { type FakeAuthelia, startAuthelia } from '../fakes/sso/authelia.ts'
import type { FakeTraefik } from '../fakes/traefik/traefik.ts'
import { makeSshKey } from '../peers/ssh-key.ts'
import { type Pebble } from '../peers/pebble.ts'
import { type Sshd, SSHD_PROGRAMS, startSshd } from '../peers/sshd.ts'
import { CERTIFICATE_PROGRAMS, startWorld } from './certificates-world.ts'
import type { DnsWorld } from './dns-world.ts'
import { type FaultWay, faultWay } from './fault-way.ts'
import { type NameServerWay, nameServerWay } from './name-server-way.ts'
import { OWNER } from './people-world.ts'
import { type ProvenProxy, startProvenProxy } from './proven-proxy.ts'

export const HEALTH_PROGRAMS = [...CERTIFICATE_PROGRAMS, ...SSHD_PROGRAMS]
export const ZONE = 'example.com'
const PUBLIC_IP = '203.0.113.10'
export const OLD_IP = '203.0.113.99'
/** Of the proxy in the network. */
export const LAN_IP = '192.168.1.2'

/** Where each thing is reached that is asked over TCP. */
export const WAYS = [
  'powerdns',
  'proxy',
  'provider',
  'mail',
  'gateway',
  'docker',
  'unifi',
  'proxmox',
] as const
export type WayName = (typeof WAYS)[number]

export interface Paths {
  readonly folder: string
  readonly data: string
  readonly routes: string
  readonly certificates: string
  readonly rules: string
  readonly users: string
  readonly authorized_keys: string
  /** Both files of the SSH gateway beside its keys. */
  readonly ssh_config: string
  readonly alert_rules: string
  readonly alert_router: string
  readonly ssh_known_hosts: string
  readonly resolver: string
  readonly acme: string
}

export interface HealthPeers {
  readonly dns: DnsWorld
  readonly name_server: NameServerWay
  readonly pebble: Pebble
  readonly gateway: Sshd
  readonly traefik: FakeTraefik
  readonly proxy: ProvenProxy
  readonly authelia: FakeAuthelia
  readonly gmail: FakeGmail
  readonly docker: DockerApi
  readonly unifi: UnifiApi
  readonly proxmox: ProxmoxApi
  readonly ways: Readonly<Record<WayName, FaultWay>>
  readonly paths: Paths
  /** Settings that make a house use all of it. */
  readonly env: Readonly<Record<string, string>>
  stop(): Promise<void>
}

export async function startHealthPeers(): Promise<HealthPeers> {
  const world = await startWorld([ZONE])
  const gateway = await startSshd()
  const paths = makePaths(gateway)
  const authelia = await startAuthelia(paths.rules, paths.users)
  const proxy = await startProvenProxy({ routes: paths.routes, authelia: () => authelia.url })
  const { traefik } = proxy
  const gmail = await fakeGmail()
  const docker = await dockerApi()
  const unifi = await unifiApi()
  const proxmox = await proxmoxApi()
  proxmox.guests = [{ type: 'qemu', vmid: 101, name: 'web' }]
  const name_server = await nameServerWay(world.dns.dns_port, { now: PUBLIC_IP, old: OLD_IP })
  const portOf = (url: string) => Number(new URL(url).port)
  const ways: Record<WayName, FaultWay> = {
    powerdns: await faultWay(world.dns.tcp_port),
    proxy: await faultWay(portOf(traefik.origin)),
    provider: await faultWay(portOf(authelia.url)),
    mail: await faultWay(portOf(gmail.base)),
    gateway: await faultWay(gateway.port),
    docker: await faultWay(docker.port),
    unifi: await faultWay(portOf(unifi.base)),
    proxmox: await faultWay(portOf(proxmox.base)),
  }
  const parts = { gateway, traefik, proxy, authelia, gmail, docker, unifi, proxmox, name_server, ways, paths }
  return {
    ...parts,
    dns: world.dns,
    pebble: world.pebble,
    env: { ...world.env, ...settingsOf(parts, world.dns) },
    async stop() {
      for (const way of Object.values(ways)) await way.close()
      await name_server.close()
      for (const one of [proxy, authelia, gateway, world]) await one.stop()
      for (const one of [gmail, docker, unifi, proxmox]) await one.close()
      rmSync(paths.folder, { recursive: true, force: true })
    },
  }
}

function makePaths({ authorized_keys }: Sshd): Paths {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-health-'))
  const data = join(folder, 'data')
  const paths = {
    folder,
    data,
    routes: join(data, 'traefik', 'routes.yml'),
    certificates: join(data, 'traefik', 'certificates.yml'),
    rules: join(folder, 'authelia', 'access-control.yml'),
    users: join(folder, 'authelia', 'users.yml'),
    authorized_keys,
    ssh_config: join(folder, 'targets.conf'),
    alert_rules: join(folder, 'alert-rules.yml'),
    alert_router: join(folder, 'alertmanager.yml'),
    ssh_known_hosts: join(folder, 'targets_known_hosts'),
    resolver: join(folder, 'lan.conf'),
    acme: join(folder, 'acme.json'),
  }
  mkdirSync(dirname(paths.users))
  mkdirSync(dirname(paths.routes), { recursive: true })
  writeFileSync(paths.users, OWNER, { mode: 0o600 })
  writeFileSync(paths.resolver, `address=/${ZONE}/${LAN_IP}\n`)
  const authority = certificateAuthority()
  writeFileSync(paths.acme, acmeJson([authority.issue({ names: [`app.${ZONE}`] })]), { mode: 0o600 })
  authority.close()
  return paths
}

type Wired = Pick<HealthPeers, 'ways' | 'paths' | 'authelia' | 'proxy' | 'gateway' | 'name_server'>

function settingsOf({ ways, paths, authelia, proxy, gateway, name_server }: Wired, dns: DnsWorld) {
  const watched = `127.0.0.1:${name_server.port}`
  return {
    ...dns.through(ways.powerdns.port),
    PLUMBLINE_DNS_AUTHORITATIVE: watched,
    PLUMBLINE_DNS_RESOLVERS: watched,
    PLUMBLINE_PUBLIC_IP: PUBLIC_IP,
    PLUMBLINE_RESOLVER_CONFIG: `dnsmasq:${paths.resolver}`,
    PLUMBLINE_RESOLVER_ADDRESS: LAN_IP,
    PLUMBLINE_TRAEFIK_API: ways.proxy.origin,
    PLUMBLINE_EDGE_OFFLINE_AFTER: '600',
    PLUMBLINE_ACME_STORE: paths.acme,
    PLUMBLINE_SSO_RULES_FILE: paths.rules,
    PLUMBLINE_SSO_USERS_FILE: paths.users,
    PLUMBLINE_SSO_USERS_RELOAD: 'none',
    PLUMBLINE_SSO_PORTAL_URL: 'https://auth.example.com',
    PLUMBLINE_SSO_URL: ways.provider.origin,
    PLUMBLINE_SSO_RESTART: authelia.restart_setting,
    PLUMBLINE_SSO_RESTART_GAP: '0',
    PLUMBLINE_SSO_PROBE: proxy.address,
    PLUMBLINE_MAIL_PROVIDER: 'gmail',
    PLUMBLINE_MAIL_FROM: 'me@example.org',
    PLUMBLINE_GMAIL_CLIENT_ID: CLIENT.id,
    PLUMBLINE_GMAIL_CLIENT_SECRET: CLIENT.secret,
    PLUMBLINE_GMAIL_REFRESH_TOKEN: CLIENT.refresh_token,
    PLUMBLINE_GMAIL_URL: ways.mail.origin,
    PLUMBLINE_GMAIL_TOKEN_URL: `${ways.mail.origin}/token`,
    PLUMBLINE_AUTHORIZED_KEYS: `sftp://${gateway.user}@127.0.0.1:${ways.gateway.port}${paths.authorized_keys}`,
    PLUMBLINE_AUTHORIZED_KEYS_IDENTITY: gateway.identity_file,
    PLUMBLINE_AUTHORIZED_KEYS_HOST_KEY: gateway.host_key,
    PLUMBLINE_SSH_PROXY_CONFIG: paths.ssh_config,
    PLUMBLINE_ALERT_RULES_FILE: paths.alert_rules,
    PLUMBLINE_ALERTMANAGER_FILE: paths.alert_router,
    PLUMBLINE_SMTP_SERVER: 'mail.example.org:587',
    ALERT_EMAIL: 'ops@example.org',
    PLUMBLINE_SSH_PROXY_KNOWN_HOSTS: paths.ssh_known_hosts,
    PLUMBLINE_DOCKER_HOSTS: `hub=tcp://127.0.0.1:${ways.docker.port}`,
    PLUMBLINE_UNIFI_URL: `home=${ways.unifi.origin}`,
    PLUMBLINE_UNIFI_API_KEY: UNIFI_KEY,
    PLUMBLINE_PROXMOX: `lab=${ways.proxmox.origin}`,
    PLUMBLINE_PROXMOX_TOKEN: PROXMOX_TOKEN,
  }
}

/** A public key of somebody's, made by the real program. */
export async function newPublicKey(folder: string, name: string): Promise<string> {
  const file = join(folder, name)
  const { readFileSync } = await import('node:fs')
  await makeSshKey(file, `${name}@laptop`)
  return readFileSync(`${file}.pub`, 'utf8')
}
