/** After a failure: a real staging authority rehearses, then the real one issues; both by real DNS, with some nonces refused. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ariId } from '../../src/features/certificates/acme/ari-id.ts'
import { type AcmeClient, createAcme } from '../../src/features/certificates/acme/create-acme.ts'
import { makeRequest } from '../../src/features/certificates/acme/make-request.ts'
import { certificateFiles } from '../../src/features/certificates/files/certificate-files.ts'
import { openStore } from '../../src/store/open.ts'
import { keyFits } from '../../src/features/certificates/x509/key-fits.ts'
import { readCertificate, readChain } from '../../src/features/certificates/x509/read-certificate.ts'
import { isWholeChain, plainKey } from '../../src/features/certificates/x509/whole-chain.ts'
import { challengeModule } from '../../src/features/dns/challenge-wiring.ts'
import { loadConfig } from '../../src/settings-wiring.ts'
import { dnsModule } from '../../src/features/dns/dns-wiring.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { createIssuer } from '../../src/features/certificates/issuing/create-issuer.ts'
import { newAccountKey } from '../features/certificates/acme/authority-world.ts'
import { wholeWorld } from '../engine/whole-world.ts'
import { type Pebble, startPebble } from '../peers/pebble.ts'
import { describePeers } from '../peers/peers.ts'
import {
  CERTIFICATE_PROGRAMS,
  challengesIn,
  type CertificatesWorld,
  startWorld,
} from './certificates-world.ts'
import { certificateRecords, certificateStore } from '../../src/features/certificates/records.ts'
import { readReportedAddresses } from '../../src/features/ddns/records.ts'
import { newFolder } from '../kit/new-folder.ts'

const ZONE = 'rehearsed.test'
const WISH = { name: ZONE, names: [`*.${ZONE}`, ZONE] }
const signal = new AbortController().signal
const ISSUED = /Issued certificate/
const [clock, log] = [systemClock, silentLog]

describePeers(CERTIFICATE_PROGRAMS, 'a rehearsal', () => {
  let world: CertificatesWorld
  let staging: Pebble
  const directory = newFolder('rehearsed')
  const clients: AcmeClient[] = []
  beforeAll(async () => {
    world = await startWorld([ZONE], { nonce_reject: 10 })
    staging = await startPebble({ dns_server: `127.0.0.1:${world.dns.dns_port}`, nonce_reject: 10 })
  })
  afterAll(async () => {
    for (const client of clients) await client.close()
    await staging.stop()
    await world.stop()
  })

  const clientAt = ({ directory_url, ca_file }: Pebble): AcmeClient => {
    const settings = { directory: directory_url, contact: null, eab: null, ca_file }
    const client = createAcme({ ...settings, account_key: newAccountKey() }, { clock })
    clients.push(client)
    return client
  }

  it('leaves one certificate of the real one, and nothing of either', async () => {
    const { settings } = loadConfig({ PLUMBLINE_DATA_DIR: directory, ...world.env })
    await using store = await disposable(openStore({ directory, log, clock }))
    const parts = { settings, store: store.it, clock, log, world: wholeWorld(store.it) }
    const dns = await dnsModule({
      ...parts,
      stillServed: () => Promise.resolve(new Map()),
      reportedAddresses: readReportedAddresses,
      reports: () => [],
      zonesChanged: async () => undefined,
    })
    await using _dns = { [Symbol.asyncDispose]: () => dns.close() }
    await dns.prepare()
    await dns.service.discovery.refresh()
    const { records, caa } = challengeModule({ settings, dns, clock })
    const read = { read: readCertificate, fits: keyFits, is_whole: isWholeChain, plain: plainKey }
    const files = certificateFiles(join(directory, 'certificates'), read)
    const acme = clientAt(world.pebble)
    await store.it.write((tx) =>
      tx.of(certificateRecords).saveFailure({
        name: ZONE,
        failures: 1,
        directory: acme.directory,
        code: 'provider_refused',
        message: 'It said no.',
        failed_at: clock.now() - 2,
        next_try_at: clock.now() - 1,
        rehearse: true,
      }),
    )
    let count = 0
    const issuer = createIssuer({
      store: certificateStore(store.it),
      files,
      acme,
      staging: clientAt(staging),
      challenges: records,
      caa,
      makeRequest,
      readChain,
      keyFits,
      ariId,
      clock,
      log,
      random: Math.random,
      newId: () => `order-${++count}`,
    })
    expect(await issuer.preflight(WISH, signal)).toEqual([])
    const installed = await issuer.issue(WISH, { reason: 'there is none yet', signal })

    expect(count).toBe(2)
    expect(staging.log()).toMatch(/valid by setting validAuthz|set VALID/i)
    expect(world.pebble.log()).toMatch(ISSUED)
    expect(staging.log()).not.toMatch(ISSUED)
    expect(installed).toMatchObject({ names: WISH.names, directory: acme.directory })
    const [version] = await files.list(signal)
    expect(version).toMatchObject({ fingerprint: installed.fingerprint, fault: null })
    const leaf = new X509Certificate(readFileSync(version!.chain_file))
    expect(leaf.serialNumber.toLowerCase().replace(/^0+/, '')).toBe(installed.serial)
    expect(await world.pebble.statusOf(installed.serial)).toBe('Valid')
    expect(await challengesIn(world.dns, ZONE)).toEqual([])
    expect(await store.it.of(certificateRecords).certificateOrders()).toEqual([])
    expect(await store.it.of(certificateRecords).certificateFailures()).toEqual([])
    expect(await files.requests(signal)).toEqual([])
  })
})

async function disposable<T extends { close(): Promise<void> }>(opening: Promise<T>) {
  const it = await opening
  return { it, [Symbol.asyncDispose]: () => it.close() }
}
