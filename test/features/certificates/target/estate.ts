/** An installation with one certificate, its target, the proxy's file, and one pass of the engine by hand. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { managedFile } from '../../../../src/io/files/managed-file.ts'
import { silentLog } from '../../../../src/kernel/log.ts'
import { certificateStore, type InstalledCertificate } from '../../../../src/features/certificates/records.ts'
import { adoptVersions } from '../../../../src/features/certificates/target/adopt-version.ts'
import { certificatesFamily } from '../../../../src/features/certificates/target/family.ts'
import { keepChains } from '../../../../src/features/certificates/target/keep-chain.ts'
import { certificatesFileTarget } from '../../../../src/features/certificates/tls-file/target.ts'
import { paperId } from '../issuing/paper.ts'
import { never, newWorld, PLAIN, WHY, type World } from '../issuing/world.ts'

const { name } = PLAIN
const DESIRED = { wishes: [{ ...PLAIN, domain_ids: [1] }], kept: [] }

export interface Estate {
  readonly world: World
  readonly chain: string
  readonly key: string
  readonly before: { readonly chain: string; readonly key: string }
  /** One pass; the drift, what was done about it, and what is left. */
  readonly pass: () => Promise<{ drift: string[]; done: boolean[]; left: number }>
  /** As the module does at its start. */
  readonly keep: () => Promise<void>
  readonly orders: () => number
  readonly proxy_file: string
  /** Why nothing is known of the certificate; null where it is known. */
  readonly why: () => Promise<string | null>
  /** What a glance at the proxy's file says, after a moment in which it may say nothing. */
  readonly glanceFile: () => Promise<string | null>
  /** One pass over the proxy's file: how many differences were put right, or null where nothing is known. */
  readonly passFile: () => Promise<number | null>
}

export async function installed(): Promise<Estate> {
  const world = await newWorld()
  const row: InstalledCertificate = await world.issuer().issue(PLAIN, WHY)
  const proxy_file = join(world.directory, 'traefik', 'certificates.yml')
  const file = managedFile(proxy_file, { max_bytes: 1e6, log: silentLog })
  writeFileSync(proxy_file, '# names it\n')
  const parts = {
    responsibility: 'all' as const,
    directory: row.directory,
    store: certificateStore(world.store),
    files: world.files,
    file,
    issuer: world.issuer(),
    clock: world.clock,
    log: silentLog,
  }
  const family = certificatesFamily(parts)
  const file_target = certificatesFileTarget(family, { ...parts, in_proxy: world.files.directory })
  const target = family.target(name)
  const folder = join(world.files.directory, name)
  const chain = join(folder, `${row.fingerprint}.chain.pem`)
  const key = join(folder, `${row.fingerprint}.key.pem`)
  const look = async () => {
    family.inventory.forget()
    const seen = await target.observe(never)
    if (!seen.known) throw new Error(seen.detail)
    return target.diff(DESIRED, seen.state)
  }
  return {
    world,
    chain,
    key,
    proxy_file,
    async why() {
      family.inventory.forget()
      const seen = await target.observe(never)
      return seen.known ? null : seen.detail
    },
    async glanceFile() {
      await new Promise((resolve) => setTimeout(resolve, 30))
      return file_target.glance()
    },
    async passFile() {
      family.inventory.forget()
      const seen = await file_target.observe(never)
      if (!seen.known) return null
      const differences = file_target.diff(DESIRED, seen.state)
      await file_target.apply(differences, DESIRED, { signal: never, evidence: false })
      return differences.length
    },
    before: { chain: readFileSync(chain, 'utf8'), key: readFileSync(key, 'utf8') },
    async pass() {
      const differences = await look()
      const repairs = await target.apply(differences, DESIRED, { signal: never, evidence: false })
      return {
        drift: differences.map(({ payload, after }) => `${payload.kind}: ${after}`),
        done: repairs.map(({ ok }) => ok),
        left: (await look()).length,
      }
    },
    async keep() {
      const parts = { ...world, store: certificateStore(world.store), log: silentLog, ariId: paperId }
      await adoptVersions(await family.inventory.readAnew(never), parts, never)
      await keepChains(await family.inventory.readAnew(never), parts, never)
    },
    orders: () => world.acme.orders.length,
  }
}
