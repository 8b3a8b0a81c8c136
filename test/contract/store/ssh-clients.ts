/** The store contract: clients of the SSH gateway. */
import { expect, test } from 'vitest'
import type { SshClient } from '../../../src/model/ssh/client.ts'
import { eachStore, type OpenStore } from './opened.ts'
import { sshClientRecords } from '../../../src/features/ssh-clients/records.ts'

const ALICE: SshClient = {
  fingerprint: 'SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU',
  type: 'ssh-ed25519',
  key: 'AAAAC3NzaC1lZDI1NTE5AAAA',
  bits: 256,
  name: 'alice@laptop',
  options: {
    pty: true,
    port_forwarding: true,
    agent_forwarding: false,
    x11_forwarding: false,
    user_rc: false,
    from: ['10.0.0.0/8'],
    command: "gate --user 'alice'",
    permit_open: ['db.lan:5432'],
    permit_listen: [],
    expires_at: 9_000_000_000_000,
    verify_required: false,
    no_touch_required: false,
  },
  revision: 1,
  created_at: 2000,
  updated_at: 2000,
}
const BOB: SshClient = {
  ...ALICE,
  fingerprint: 'SHA256:bob',
  key: 'BBBB',
  name: 'bob',
  options: { ...ALICE.options, expires_at: null, command: null },
  created_at: 1000,
}

export function sshClientsContract(open: OpenStore): void {
  const opened = eachStore(open)

  test('are kept as they were saved, the oldest first, also after a restart', async () => {
    expect(await opened.store.of(sshClientRecords).sshClients()).toEqual([])
    await opened.store.write(async (tx) => {
      await tx.of(sshClientRecords).saveSshClient(ALICE)
      await tx.of(sshClientRecords).saveSshClient(BOB)
      expect(await tx.of(sshClientRecords).sshClients()).toEqual([BOB, ALICE])
    })
    await opened.reopen()
    expect(await opened.store.of(sshClientRecords).sshClients()).toEqual([BOB, ALICE])
  })

  test('saved again they have the new name and options, and keep their key and their beginning', async () => {
    await opened.store.write((tx) => tx.of(sshClientRecords).saveSshClient(ALICE))
    const changed = { ...ALICE, name: 'a', options: BOB.options, revision: 2, updated_at: 3000 }
    await opened.store.write((tx) => tx.of(sshClientRecords).saveSshClient({ ...changed, created_at: 9 }))
    expect(await opened.store.of(sshClientRecords).sshClients()).toEqual([changed])
  })

  test('are gone when they are dropped, and dropping nobody is no error', async () => {
    await opened.store.write((tx) => tx.of(sshClientRecords).saveSshClient(ALICE))
    await opened.store.write((tx) => tx.of(sshClientRecords).dropSshClient('SHA256:nobody'))
    expect(await opened.store.of(sshClientRecords).sshClients()).toEqual([ALICE])
    await opened.store.write((tx) => tx.of(sshClientRecords).dropSshClient(ALICE.fingerprint))
    expect(await opened.store.of(sshClientRecords).sshClients()).toEqual([])
  })

  test('a transaction that fails leaves them as they were', async () => {
    const failing = opened.store.write(async (tx) => {
      await tx.of(sshClientRecords).saveSshClient(ALICE)
      throw new Error('enough')
    })
    await expect(failing).rejects.toThrow('enough')
    expect(await opened.store.of(sshClientRecords).sshClients()).toEqual([])
  })
}
