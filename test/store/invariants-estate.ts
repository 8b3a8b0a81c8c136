/** A database file in which every table that a rule reads has rows, made by calls and by the store alone. */
import { copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../src/store/open.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { sha256 } from '../../src/kernel/digest.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { readOptions } from '../../src/model/ssh/options.ts'
import { parsePublicKey } from '../../src/model/ssh/public-key.ts'
import type { StoreWriter } from '../../src/ports/store.ts'
import { create, createActive, openTestHouse } from '../flows/test-house.ts'
import { edgeRecords, edgeTokens } from '../../src/features/edges/records.ts'
import { sessionRecords } from '../../src/features/console/records.ts'
import { heartbeatRecords, heartbeatTokens } from '../../src/features/heartbeats/records.ts'
import { sshClientRecords } from '../../src/features/ssh-clients/records.ts'
import { peopleRecords } from '../../src/features/people/records.ts'
import { certificateRecords } from '../../src/features/certificates/records.ts'
import { dnsRecords } from '../../src/features/dns/records.ts'
import { ddnsRecords } from '../../src/features/ddns/records.ts'

const ED25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGrmLIpbeJx3kHgBTVQxGdtlhoRTGOx3fHmbMSLNnsfB anna@laptop'

const FILES = ['plumbline.db', 'installation.json']

/** Answers the directory; the caller removes it. */
export async function makeEstate(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-estate-'))
  const at = await openTestHouse({ opened: false, directory })
  const { call } = at
  const a = await createActive(call, { domain: 'a.example.com' })
  const b = await createActive(call, { domain: 'b.example.com' })
  await create(call, { domain: 'idle.example.com' })
  for (const [name, entrypoint] of PLAIN_TCP)
    await createActive(call, {
      domain: name,
      service_type: 'tcp-proxy',
      protocol: 'tcp',
      tcp_entrypoint: entrypoint,
      ssl_enabled: false,
    })
  await call('PUT', `/api/domains/${a}`, { body: { backend_port: 9000 } })
  await call('POST', `/api/domains/${a}/deploy`)
  await call('PUT', `/api/domains/${a}`, { body: { backend_port: 9001 } })
  await call('DELETE', `/api/domains/${b}`)
  await call('POST', '/api/plans')
  await at.house.close()
  const store = await openStore({ directory, log: silentLog, clock: systemClock })
  await store.write(fillLedgers)
  await store.close()
  return directory
}

const PLAIN_TCP = [
  ['ssh.example.com', 'ssh'],
  ['smtp.example.com', 'smtp'],
] as const

async function fillLedgers(tx: StoreWriter): Promise<void> {
  const at = systemClock.now()
  const digest = sha256(['a secret'])
  const key = parsePublicKey(ED25519)
  if (!key.ok) throw new Error(key.msg)
  const { comment: _, ...client } = key.value
  const defaults = {
    pty: true,
    port_forwarding: false,
    agent_forwarding: false,
    x11_forwarding: false,
    user_rc: false,
  }
  const { options } = readOptions({}, { defaults, on_token: false })
  await tx.of(sshClientRecords).saveSshClient({
    ...client,
    name: 'anna',
    options,
    revision: 1,
    created_at: at,
    updated_at: at,
  })
  await tx.of(ddnsRecords).addDdnsToken({
    id: 't1',
    host: 'a.example.com',
    digest,
    label: '',
    created_at: at,
    expires_at: null,
    last_used_at: null,
  })
  const set = {
    account: 'home',
    zone: 'example.com',
    domain_id: 1,
    state: 'owned',
    ttl: 300,
    proxied: null,
    ids: [],
    sent_at: at,
  } as const
  await tx.of(dnsRecords).saveOwnedRrsets([
    { ...set, name: 'a.example.com', type: 'A', values: ['203.0.113.7'] },
    { ...set, name: 'a.example.com', type: 'AAAA', values: ['2001:db8::7'] },
    { ...set, zone: 'sub.example.com', name: 'x.sub.example.com', type: 'A', values: ['203.0.113.7'] },
    { ...set, name: 'x.sub.example.com', type: 'A', values: ['203.0.113.7'] },
  ])
  await tx.of(certificateRecords).saveCertificate({
    name: 'a.example.com',
    names: ['*.example.com', 'example.com'],
    directory: 'https://ca.example/directory',
    issuer: 'CA',
    serial: '1f',
    key_type: 'EC P-256',
    fingerprint: digest,
    not_before: at,
    not_after: at + 1000,
    obtained_at: at,
    ari_id: null,
    renewal: null,
  })
  const person = {
    display_name: 'Anna',
    email: 'anna@example.net',
    revoked_at: null,
    written_at: null,
    disabled: false,
    created_at: at,
    updated_at: at,
  }
  const hash = '$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHQ$aGFzaA'
  await tx.of(peopleRecords).savePerson({
    ...person,
    username: 'anna',
    origin: 'invited',
    groups: ['family'],
    password_hash: hash,
  })
  await tx
    .of(peopleRecords)
    .savePerson({ ...person, username: 'Bob', origin: 'file', groups: null, password_hash: null })
  const edge = await tx.of(edgeRecords).insertEdge({
    name: 'fra',
    hostname: 'fra.example.com',
    address: '203.0.113.9',
    region: null,
    desired_state: 'active',
    created_at: at,
  })
  const issued = { digest, created_at: at, expires_at: null }
  await tx.of(edgeTokens).add(edge.id, { id: 'e1', ...issued })
  const heartbeat = await tx.of(heartbeatRecords).insertHeartbeat({ name: 'external', created_at: at })
  await tx.of(heartbeatTokens).add(heartbeat.id, { id: 'h1', ...issued })
  await tx.of(sessionRecords).insertSession({
    id: 's1',
    digest,
    secret_digest: digest,
    way: 'key',
    key_id: 'k1',
    client: '127.0.0.1',
    agent: null,
    created_at: at,
    used_at: at,
  })
}

/** The same database in a directory of its own. */
export function copyOf(estate: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-copy-'))
  for (const name of FILES) copyFileSync(join(estate, name), join(directory, name))
  return directory
}
