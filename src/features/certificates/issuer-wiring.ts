/** From settings to the one who obtains certificates: the account, the authority, its rehearsal, and the way into DNS. */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { ariId } from './acme/ari-id.ts'
import { type AcmeClient, createAcme } from './acme/create-acme.ts'
import { makeRequest } from './acme/make-request.ts'
import { keyFile } from '../../io/files/key-file.ts'
import { keyFits } from './x509/key-fits.ts'
import { readChain } from './x509/read-certificate.ts'
import { challengeModule } from '../dns/challenge-wiring.ts'
import type { Settings } from '../../config/sections.ts'
import type { DnsModule } from '../dns/dns-wiring.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Acme } from './acme/port.ts'
import type { CaaCheck } from '../dns/challenges/caa-port.ts'
import type { CertificateFiles } from './files/port.ts'
import type { ChallengeRecords } from '../dns/challenges/port.ts'
import type { Store } from '../../ports/store.ts'
import { createIssuer } from './issuing/create-issuer.ts'
import type { Issuer } from './issuing/port.ts'
import { certificateStore } from './records.ts'

export interface IssuerModuleParts {
  readonly settings: Settings
  readonly store: Store
  readonly files: CertificateFiles
  readonly dns: DnsModule
  readonly clock: Clock
  readonly log: Log
  /** Wraps the authority on its way in. */
  readonly wrap?: ((acme: Acme) => Acme) | undefined
}

export interface IssuerModule {
  readonly issuer: Issuer
  close(): Promise<void>
}

export async function issuerModule(directory: string, parts: IssuerModuleParts): Promise<IssuerModule> {
  const { settings, store, files, dns, clock, log, wrap = (acme) => acme } = parts
  const { acme_staging, acme_caa } = settings.certificates
  const account_key = (await keyFile(join(settings.store.data_dir, ACCOUNT_KEY), newAccountKey)).key
  const clients: AcmeClient[] = []
  const clientAt = (url: string, with_binding: boolean): Acme => {
    const client = createAcme(
      { ...accountOf(settings, with_binding), directory: url, account_key },
      { clock },
    )
    clients.push(client)
    return wrap(client)
  }
  const acme = clientAt(directory, true)
  dns.challenges.recorded = async () =>
    (await certificateStore(store).certificateOrders()).flatMap(({ challenges }) => challenges)
  const { records, caa } = challengeModule({ settings, dns, clock })
  const issuer = createIssuer({
    store: certificateStore(store),
    files,
    acme,
    // The account at the rehearsal is another one: what binds the first says nothing there.
    staging: acme_staging === null ? null : clientAt(acme_staging, false),
    challenges: inNewZones(records, dns),
    makeRequest,
    readChain,
    keyFits,
    ariId,
    caa: knownAs(acme_caa, caa),
    clock,
    log,
    random: Math.random,
    newId: randomUUID,
  })
  return { issuer, close: async () => void (await Promise.all(clients.map((client) => client.close()))) }
}

/** Made once, and then the account's for good. */
const ACCOUNT_KEY = 'acme-account.pem'

const newAccountKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()

function accountOf({ certificates }: Settings, with_binding: boolean) {
  const {
    acme_email: contact,
    acme_eab_kid: kid,
    acme_eab_key: hmac_key,
    acme_ca_file: ca_file,
  } = certificates
  const eab = with_binding && kid !== null && hmac_key !== null ? { kid, hmac_key } : null
  return { contact, eab, ca_file }
}

/** A zone that was made a moment ago is found before it is missed, or made a second time. */
function inNewZones(records: ChallengeRecords, { service }: Pick<DnsModule, 'service'>): ChallengeRecords {
  const found = async (name: string): Promise<void> => {
    if (!service.isShown(name)) await service.discovery.refresh()
  }
  return {
    async obstacle(name, signal) {
      await found(name)
      return records.obstacle(name, signal)
    },
    async present(record, signal) {
      await found(record.name)
      await records.present(record, signal)
    },
    remove: (record, signal) => records.remove(record, signal),
    visible: (record, signal) => records.visible(record, signal),
  }
}

/** What the settings say of the authority's names goes before what it says itself. */
const knownAs = (identities: readonly string[], caa: CaaCheck): CaaCheck =>
  identities.length === 0
    ? caa
    : { evaluate: (question, signal) => caa.evaluate({ ...question, identities }, signal) }
