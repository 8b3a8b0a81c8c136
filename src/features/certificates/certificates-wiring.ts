/** From settings to certificates: what operations know of them, and, where an authority is set, the manager that obtains them. */
import { dirname, join } from 'node:path'
import { AcmeStoreFile } from './acme-store/acme-store.ts'
import { certificateFiles } from './files/certificate-files.ts'
import { CertificateIndex } from './managed/certificate-index.ts'
import { managedFile } from '../../io/files/managed-file.ts'
import { tlsProbe } from './tls-probe/tls-probe.ts'
import { keyFits } from './x509/key-fits.ts'
import { factsOf, readCertificate } from './x509/read-certificate.ts'
import { isWholeChain, plainKey } from './x509/whole-chain.ts'
import { type Quarantined, movesTheWire, wireWatch } from './certificates-wire-wiring.ts'
import type { Source } from '../../engine/components.ts'
import { issuerModule, type IssuerModuleParts } from './issuer-wiring.ts'
import { Failure } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import type { CertificateManager, CertificateService } from './service.ts'
import type { Report } from '../../model/report.ts'
import type { Module } from '../../feature/feature.ts'
import { ariId } from './acme/ari-id.ts'
import { adoptVersions } from './target/adopt-version.ts'
import { keepChains } from './target/keep-chain.ts'
import { type CertificatesFamily, certificatesFamily } from './target/family.ts'
import { certificatesFileTarget } from './tls-file/target.ts'
import type { Responsibility } from './target/desire.ts'
import { resetBackoff } from './target/reset-backoff.ts'
import { certificateViews } from './target/views.ts'
import { WRITTEN_BY_OWNER } from '../../model/file-access.ts'
import { certificateStore } from './records.ts'

/** A file above this is not read; ten thousand certificates come to three megabytes. */
const MAX_FILE_BYTES = 16 * 1024 * 1024

export interface CertificatesModule extends Module {
  readonly service: CertificateService
  /** There is another release. */
  released(): void
  /** A pass was made. */
  reported(report: Report): void
  /** In the order of work; empty where no authority is set. */
  readonly sources: readonly Source[]
}

export interface CertificatesModuleParts extends Omit<IssuerModuleParts, 'files'> {
  /** The names that it is to obtain for, where an authority is set. */
  readonly responsibility: Responsibility
  readonly quarantined: Quarantined
  /** The certificates that there are to be looked at may have changed. */
  readonly keysChanged: () => Promise<void>
}

export async function certificatesModule(parts: CertificatesModuleParts): Promise<CertificatesModule> {
  const { settings, clock, log } = parts
  const { acme_store, tls_address, acme_directory, mode } = settings.certificates
  const seen = {
    store: acme_store === null ? null : new AcmeStoreFile(acme_store, { read: readCertificate, clock }),
    read: readCertificate,
    probe: tlsProbe({ factsOf }),
    tls_address,
    index: new CertificateIndex(),
    cert_resolver: settings.routes.cert_resolver,
  }
  if (acme_directory === null) {
    if (mode === 'manager')
      log.warn('certificates are to be ours, but no authority is set', {
        setting: 'PLUMBLINE_ACME_DIRECTORY',
      })
    return { ...lookedAt({ ...seen, manager: null }, parts), sources: [] }
  }
  const managed = await managing(acme_directory, parts)
  return {
    ...lookedAt({ ...seen, manager: managerOf(managed.family, acme_directory, parts) }, parts),
    sources: managed.sources,
    prepare: () => prepareRows(managed, log),
    close: managed.close,
  }
}

const FIRST_READING_MS = 30_000

/** A folder that is not there, or cannot be read, keeps no daemon from its start: the targets say so. */
async function prepareRows(managed: Managing, log: Log): Promise<void> {
  const signal = AbortSignal.timeout(FIRST_READING_MS)
  const { family, files } = managed
  const { inventory } = family
  try {
    const reading = await inventory.read(signal)
    if (reading.versions.length > 0) await files.mark(signal)
    await adoptVersions(reading, { ...managed, ariId }, signal)
    await keepChains(await inventory.readAnew(signal), managed, signal)
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error
    log.warn('certificates could not be prepared', { error })
  } finally {
    inventory.changed()
  }
}

/** With the look at what is served. */
function lookedAt(
  seen: Omit<CertificateService, 'wire'>,
  { store, quarantined, clock, log }: CertificatesModuleParts,
) {
  const wire = wireWatch({ ...seen, kept: store, quarantined, clock, log })
  return {
    service: { ...seen, wire },
    released: () => wire?.changed(),
    reported: (report: Report) => (movesTheWire(report) ? wire?.changed() : undefined),
    start: () => wire?.start(),
    stop: async () => wire?.stop(),
  }
}

type Managing = Awaited<ReturnType<typeof managing>>

async function managing(directory: string, parts: CertificatesModuleParts) {
  const { settings, clock, log } = parts
  const store = certificateStore(parts.store)
  const { dir, file: path, path_in_proxy } = settings.certificates
  const files = certificateFiles(dir, {
    read: readCertificate,
    fits: keyFits,
    is_whole: isWholeChain,
    plain: plainKey,
  })
  const file = managedFile(path ?? join(dirname(settings.routes.file), 'certificates.yml'), {
    max_bytes: MAX_FILE_BYTES,
    access: WRITTEN_BY_OWNER,
    log,
  })
  const module = await issuerModule(directory, { ...parts, files })
  const { responsibility } = parts
  const left = () =>
    void parts.keysChanged().catch((error: unknown) => log.error('keys not refreshed', { error }))
  const shared = { responsibility, directory, store, files, file, issuer: module.issuer, clock, log, left }
  const family = certificatesFamily(shared)
  const target = certificatesFileTarget(family, { ...shared, in_proxy: path_in_proxy ?? files.directory })
  return {
    family,
    files,
    store,
    log,
    sources: [family, target] as readonly Source[],
    close: () => module.close(),
  }
}

function managerOf(
  family: CertificatesFamily,
  directory: string,
  { responsibility, store, clock }: Pick<CertificatesModuleParts, 'responsibility' | 'store' | 'clock'>,
): CertificateManager {
  return {
    directory,
    responsibility,
    list: async (intent, signal) =>
      certificateViews(family.desire(intent), await family.inventory.readAnew(signal), { clock, directory }),
    async resetBackoff() {
      await resetBackoff({ store: certificateStore(store), clock })
      family.inventory.changed()
    },
  }
}
