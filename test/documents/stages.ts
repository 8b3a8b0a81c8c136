/** What the commands of a page find beside a fresh daemon: settings, files in the folder, and servers of others. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { certificateAuthority } from '../fakes/certificate-authority.ts'
import { aContainer, dockerApi } from '../fakes/lab/docker.ts'
import { smtpSink } from '../fakes/mail/smtp-sink.ts'
import { webhookReceiver } from '../fakes/notify/webhook-receiver.ts'
import { freePort } from '../kit/ports.ts'
import { OWNER } from '../flows/people-world.ts'
import { makeSshKey } from '../peers/ssh-key.ts'

interface Stage {
  readonly env?: Readonly<Record<string, string>>
  readonly close?: () => Promise<unknown>
}

/** By page. A page that is not here needs nothing. */
export const STAGES: Readonly<Record<string, (folder: string) => Stage | Promise<Stage>>> = {
  'src/features/domains/README.md': (folder) => {
    const authorities = join(folder, 'authorities')
    mkdirSync(authorities)
    const authority = certificateAuthority()
    const { cert } = authority.issue({ names: ['pve.lan'] })
    authority.close()
    // Behind the leaf stands who issued it.
    writeFileSync(join(authorities, 'home.pem'), cert.slice(cert.lastIndexOf('-----BEGIN')))
    return { env: { PLUMBLINE_BACKEND_CA_DIR: authorities } }
  },
  'src/features/ddns/README.md': () => ({ env: { PLUMBLINE_DDNS_PRIVATE: '203.0.113.0/24' } }),
  'src/features/people/README.md': async (folder) => {
    const { env, close } = await postOffice()
    const users = join(folder, 'users.yml')
    writeFileSync(users, OWNER, { mode: 0o600 })
    const people = {
      PLUMBLINE_SSO_USERS_FILE: users,
      PLUMBLINE_SSO_USERS_RELOAD: 'none',
      PLUMBLINE_SSO_PORTAL_URL: 'https://auth.example.com',
    }
    return { env: { ...env, ...people }, close }
  },
  'src/features/mail/README.md': () => postOffice(),
  'src/features/sso/README.md': (folder) => {
    const policies = join(folder, 'policies.yml')
    writeFileSync(policies, 'policies:\n  - { domain: wiki.example.com, policy: two_factor }\n')
    return {
      env: {
        PLUMBLINE_SSO_RULES_FILE: join(folder, 'access-control.yml'),
        PLUMBLINE_SSO_POLICIES_FILE: policies,
      },
    }
  },
  'src/features/ssh-clients/README.md': async (folder) => {
    await makeSshKey(join(folder, 'id_ed25519'))
    const keys = join(folder, 'authorized_keys')
    writeFileSync(keys, '# Keys of the gateway\n', { mode: 0o600 })
    return { env: { PLUMBLINE_AUTHORIZED_KEYS: keys } }
  },
  // A port of this host on which nobody listens: it is asked for its key, and says no at once.
  'src/features/ssh-targets/README.md': async (folder) => ({
    env: {
      PLUMBLINE_SSH_TARGETS: `nas=admin@127.0.0.1:${await freePort()}`,
      PLUMBLINE_SSH_PROXY_CONFIG: join(folder, 'targets.conf'),
      PLUMBLINE_SSH_PROXY_KNOWN_HOSTS: join(folder, 'known_hosts'),
    },
  }),
  'src/features/notifications/README.md': async () => {
    const receiver = await webhookReceiver()
    return { env: { PLUMBLINE_NOTIFY_WEBHOOK: receiver.url }, close: () => receiver.close() }
  },
  'src/features/discovery/README.md': async () => {
    const docker = await dockerApi()
    docker.containers = [
      aContainer('wiki', {
        Ports: [{ IP: '0.0.0.0', PrivatePort: 3000, PublicPort: 13000, Type: 'tcp' }],
      }),
    ]
    const host = `hub=tcp://127.0.0.1:${docker.port}@192.168.1.10`
    return { env: { PLUMBLINE_DOCKER_HOSTS: host }, close: () => docker.close() }
  },
}

/** A mail server that takes everything. */
async function postOffice() {
  const sink = await smtpSink()
  const env = {
    PLUMBLINE_MAIL_PROVIDER: 'smtp',
    PLUMBLINE_MAIL_FROM: 'plumbline@example.com',
    PLUMBLINE_SMTP_SERVER: `127.0.0.1:${sink.port}`,
    PLUMBLINE_SMTP_TLS: 'none',
  }
  return { env, close: () => sink.close() }
}
