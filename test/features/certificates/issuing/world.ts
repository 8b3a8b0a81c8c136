/** An installation that obtains certificates: the real store, real files, a fake authority with its staging, a fake DNS. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { certificateFiles } from '../../../../src/features/certificates/files/certificate-files.ts'
import { layInstallation } from '../../../kit/new-installation.ts'
import { openStore } from '../../../../src/store/open.ts'
import { silentLog } from '../../../../src/kernel/log.ts'
import type { CertificateFiles } from '../../../../src/features/certificates/files/port.ts'
import type { Store } from '../../../../src/ports/store.ts'
import { createIssuer } from '../../../../src/features/certificates/issuing/create-issuer.ts'
import type { CertificateWish, Issuer } from '../../../../src/features/certificates/issuing/port.ts'
import type { IssuerParts } from '../../../../src/features/certificates/issuing/parts.ts'
import { FakeAuthority } from './fake-authority.ts'
import { FakeDns } from './fake-dns.ts'
import { type HandTime, handTime } from '../../../kit/hand-time.ts'
import {
  isWholePaper,
  newRequest,
  paperFits,
  paperId,
  plainPaperKey,
  readPaper,
  readPapers,
} from './paper.ts'
import { certificateRecords, certificateStore } from '../../../../src/features/certificates/records.ts'

export const PLAIN: CertificateWish = { name: 'app.example.com', names: ['app.example.com'] }
export const WILD: CertificateWish = {
  name: 'example.com',
  names: ['*.example.com', 'example.com', 'www.example.com'],
}
export const never = new AbortController().signal
export const WHY = { reason: 'there is none yet', signal: never }
const FOREIGN = { name: '_acme-challenge.example.com', value: 'of somebody else' }

export interface World {
  readonly store: Store
  readonly files: CertificateFiles
  readonly clock: HandTime
  readonly dns: FakeDns
  readonly acme: FakeAuthority
  readonly staging: FakeAuthority
  readonly directory: string
  /** The parts of a new process. @param change in place of some of them */
  parts(change?: Partial<IssuerParts>): IssuerParts
  issuer(change?: Partial<IssuerParts>): Issuer
  /** Everything that is there of a name, once all is said and done. */
  remains(): Promise<Remains>
}

export interface Remains {
  /** Our TXT records; the stranger's is not among them. */
  readonly records: readonly string[]
  readonly stranger: boolean
  readonly orders: number
  readonly waiting_keys: number
  readonly troubles: number
  /** Fingerprints on disk that are whole; of the rows. */
  readonly versions: readonly string[]
  readonly installed: readonly string[]
}

let close: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const one of close.splice(0)) await one()
})

export async function newWorld(): Promise<World> {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), 'plumbline-issuing-'))
  const clock = handTime()
  await layInstallation(directory, clock)
  const store = await openStore({ directory, log: silentLog, clock })
  close.push(async () => {
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const dns = new FakeDns()
  await dns.present(FOREIGN)
  const acme = new FakeAuthority('https://ca.test/directory', { clock, dns })
  const staging = new FakeAuthority('https://staging.test/directory', { clock, dns })
  const files = certificateFiles(join(directory, 'certificates'), {
    read: readPaper,
    fits: paperFits,
    is_whole: isWholePaper,
    plain: plainPaperKey,
  })
  let count = 0
  const parts = (change: Partial<IssuerParts> = {}): IssuerParts => ({
    store: certificateStore(store),
    files,
    acme,
    staging: null,
    challenges: dns,
    makeRequest: (names) => Promise.resolve(newRequest(`key ${++count}`, names)),
    readChain: readPapers,
    keyFits: paperFits,
    ariId: paperId,
    caa: { evaluate: () => Promise.resolve({ allowed: null, detail: null }) },
    clock,
    log: silentLog,
    random: () => 0.5,
    newId: () => `order-${++count}`,
    ...change,
  })
  return {
    store,
    files,
    clock,
    dns,
    acme,
    staging,
    directory,
    parts,
    issuer: (change) => createIssuer(parts(change)),
    async remains() {
      const versions = await files.list(never)
      return {
        records: [...dns.records].filter((record) => !record.endsWith(FOREIGN.value)),
        stranger: dns.shows(FOREIGN),
        orders: (await store.of(certificateRecords).certificateOrders()).length,
        waiting_keys: (await files.requests(never)).length,
        troubles: (await store.of(certificateRecords).certificateFailures()).length,
        versions: versions.filter(({ fault }) => fault === null).map(({ fingerprint }) => fingerprint),
        installed: (await store.of(certificateRecords).certificates()).map(({ fingerprint }) => fingerprint),
      }
    },
  }
}

/** As it is when a certificate was obtained and nothing else is left. */
export const tidyRemains = (installed: string): Remains => ({
  records: [],
  stranger: true,
  orders: 0,
  waiting_keys: 0,
  troubles: 0,
  versions: [installed],
  installed: [installed],
})

/** The authority looks somewhere where the records are not. */
export function lookElsewhere({ acme }: World): () => void {
  const validate = acme.sees
  acme.sees = () => false
  return () => {
    acme.sees = validate
  }
}
