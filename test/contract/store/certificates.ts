/** The store contract: certificates that we obtain, the orders under way, what failed, and the ledger of limits. */
import { expect, test } from 'vitest'
import type { CertificateOrder } from '../../../src/features/certificates/order-records.ts'
import type {
  CertificateFailure,
  InstalledCertificate,
  LedgerEntry,
} from '../../../src/features/certificates/records.ts'
import type { StoreWriter } from '../../../src/ports/store.ts'
import { eachStore, failureOf, type OpenStore } from './opened.ts'
import { certificateRecords } from '../../../src/features/certificates/records.ts'

const DIRECTORY = 'https://ca.test/directory'

const INSTALLED: InstalledCertificate = {
  name: 'app.example.com',
  names: ['*.app.example.com', 'app.example.com'],
  directory: DIRECTORY,
  issuer: 'Pebble Intermediate "CA"',
  serial: '4f2a',
  key_type: 'EC P-256',
  fingerprint: 'ab'.repeat(32),
  not_before: 1000,
  not_after: 9000,
  obtained_at: 1100,
  ari_id: 'aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE',
  renewal: {
    ari_id: 'aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE',
    start: 5000,
    end: 6000,
    moment: 5500,
    ask_at: 2000,
  },
}

const ORDER: CertificateOrder = {
  id: 'order-1',
  name: 'app.example.com',
  names: ['app.example.com'],
  directory: DIRECTORY,
  rehearsal: false,
  replaces: null,
  step: 'planned',
  order_url: null,
  challenges: [],
  reason: 'there is no certificate yet',
  started_at: 100,
  updated_at: 100,
}

const TROUBLE: CertificateFailure = {
  name: 'app.example.com',
  failures: 2,
  directory: DIRECTORY,
  code: 'provider_refused',
  message: 'The authority says no.',
  failed_at: 100,
  next_try_at: 7200,
  rehearse: true,
}

export function certificatesContract(open: OpenStore): void {
  const opened = eachStore(open)
  const write = <T>(work: (tx: StoreWriter) => Promise<T>): Promise<T> => opened.store.write(work)

  test('a store without certificates says so in each answer', async () => {
    const { store } = opened
    expect(await store.of(certificateRecords).certificates()).toEqual([])
    expect(await store.of(certificateRecords).certificateOrders()).toEqual([])
    expect(await store.of(certificateRecords).certificateFailures()).toEqual([])
    expect(
      await store
        .of(certificateRecords)
        .ledger({ directory: DIRECTORY, kind: 'issued', subject: 'x', since: 0 }),
    ).toEqual([])
  })

  test('certificates are kept by name, the last word wins, and without a hint there is none', async () => {
    const plain = { ...INSTALLED, name: 'b.example.com', ari_id: null, renewal: null }
    await write(async (tx) => {
      await tx.of(certificateRecords).saveCertificate(plain)
      await tx.of(certificateRecords).saveCertificate({ ...INSTALLED, serial: '1', renewal: null })
      await tx.of(certificateRecords).saveCertificate(INSTALLED)
    })
    expect(await opened.store.of(certificateRecords).certificates()).toEqual([INSTALLED, plain])
    await write((tx) => tx.of(certificateRecords).dropCertificate('b.example.com'))
    expect(await opened.store.of(certificateRecords).certificates()).toEqual([INSTALLED])
  })

  test('a chain is kept beside its certificate, the last word wins, and goes with it', async () => {
    const digests = { chain_sha256: 'c'.repeat(64), key_sha256: 'd'.repeat(64) }
    const chain = { name: INSTALLED.name, fingerprint: INSTALLED.fingerprint, ...digests, chain_pem: 'a\n' }
    const { chain_pem: _bytes, ...without } = chain
    const { store } = opened
    expect([
      await store.of(certificateRecords).certificateChains(),
      await store.of(certificateRecords).certificateChain(chain.name),
    ]).toEqual([[], null])
    await write(async (tx) => {
      await tx.of(certificateRecords).saveCertificate(INSTALLED)
      await tx.of(certificateRecords).saveChain({ ...chain, chain_pem: 'b\n' })
      await tx.of(certificateRecords).saveChain(chain)
      await tx.of(certificateRecords).saveCertificate({ ...INSTALLED, serial: '2' })
    })
    expect(await store.of(certificateRecords).certificateChains()).toEqual([without])
    expect(await store.of(certificateRecords).certificateChain(chain.name)).toEqual(chain)
    await write((tx) => tx.of(certificateRecords).dropChain(chain.name))
    expect(await store.of(certificateRecords).certificateChains()).toEqual([])
    await write((tx) => tx.of(certificateRecords).saveChain(chain))
    await write((tx) => tx.of(certificateRecords).dropCertificate(chain.name))
    expect(await store.of(certificateRecords).certificateChain(chain.name)).toBeNull()
  })

  test('an order moves on by its id, and a second one for its name is refused', async () => {
    await write((tx) => tx.of(certificateRecords).saveOrder(ORDER))
    const challenge = {
      name: '_acme-challenge.app.example.com',
      value: 'v"',
      challenge_url: 'c',
      authorization_url: 'a',
    }
    const presented = {
      ...ORDER,
      step: 'presented' as const,
      order_url: 'o',
      challenges: [challenge],
      updated_at: 200,
    }
    await write((tx) => tx.of(certificateRecords).saveOrder(presented))
    expect(await opened.store.of(certificateRecords).certificateOrders()).toEqual([presented])
    const second = write((tx) => tx.of(certificateRecords).saveOrder({ ...ORDER, id: 'order-2' }))
    await failureOf(second, 'conflict')
    await write((tx) => tx.of(certificateRecords).dropOrder(ORDER.id))
    expect(await opened.store.of(certificateRecords).certificateOrders()).toEqual([])
  })

  test('trouble is kept by name until it is dropped', async () => {
    await write((tx) => tx.of(certificateRecords).saveFailure({ ...TROUBLE, failures: 1 }))
    await write((tx) => tx.of(certificateRecords).saveFailure(TROUBLE))
    expect(await opened.store.of(certificateRecords).certificateFailures()).toEqual([TROUBLE])
    await write((tx) => tx.of(certificateRecords).dropFailure(TROUBLE.name))
    expect(await opened.store.of(certificateRecords).certificateFailures()).toEqual([])
  })

  test('the ledger answers by directory, kind, subject and time, and is trimmed by time', async () => {
    const entry: LedgerEntry = { at: 10, directory: DIRECTORY, kind: 'issued', subject: '["a"]' }
    const all = [
      entry,
      { ...entry, at: 20 },
      { ...entry, kind: 'ordered' as const },
      { ...entry, subject: '["b"]' },
    ]
    await write(async (tx) => {
      for (const one of [...all, { ...entry, directory: 'https://other.test' }])
        await tx.of(certificateRecords).addToLedger(one)
    })
    const query = { directory: DIRECTORY, kind: 'issued', subject: '["a"]' } as const
    expect(await opened.store.of(certificateRecords).ledger({ ...query, since: 0 })).toEqual(all.slice(0, 2))
    expect(await opened.store.of(certificateRecords).ledger({ ...query, since: 11 })).toEqual([all[1]])
    await write((tx) => tx.of(certificateRecords).trimLedger(20))
    expect(await opened.store.of(certificateRecords).ledger({ ...query, since: 0 })).toEqual([all[1]])
  })
}
