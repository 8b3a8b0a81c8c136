/** The proxy's certificate store under a writer that cuts and rewrites it all the time. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AcmeStoreFile } from '../../../../src/features/certificates/acme-store/acme-store.ts'
import { readCertificate } from '../../../../src/features/certificates/x509/read-certificate.ts'
import { type Clock, systemClock } from '../../../../src/kernel/clock.ts'
import {
  acmeJson,
  type CertificateAuthority,
  certificateAuthority,
} from '../../../fakes/certificate-authority.ts'
import { NEVER, type StoreFolder, storeFolder } from './store-folder.ts'
import { byTier, TIER } from '../../../kit/tier.ts'

const CHILD = join(import.meta.dirname, 'children', 'rewrite.ts')
const HOLDS = 50

let authority: CertificateAuthority
let folder: StoreFolder
beforeAll(() => {
  authority = certificateAuthority()
  folder = storeFolder()
})
afterAll(() => {
  authority.close()
  folder.close()
})

it('never an error, never "no certificates", never some of one content and some of another', async () => {
  const contents = ['old.example.com', 'new.example.com'].map((name) => {
    const issued = authority.issue({ names: [name] })
    return acmeJson(Array.from({ length: HOLDS }, () => issued))
  })
  folder.put(contents[0]!)
  const writer = spawn(process.execPath, [CHILD, folder.path], { stdio: ['pipe', 'ignore', 'inherit'] })
  const gone = new Promise((resolve) => writer.once('exit', resolve))
  // More than a pipe holds: it has begun to read when this is over.
  await new Promise<void>((resolve) => writer.stdin.end(JSON.stringify(contents), resolve))
  try {
    const brief: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 30, signal) }
    const store = new AcmeStoreFile(folder.path, { read: readCertificate, clock: brief })
    const ends = systemClock.elapsed() + byTier(1000, 2000, 30_000)
    const seen = new Map<string, number>()
    for (let read = false; systemClock.elapsed() < ends || !read;) {
      const { state, content } = await store.read(NEVER)
      expect(['good', 'busy']).toContain(state)
      if (state === 'good') read = true
      seen.set(state, (seen.get(state) ?? 0) + 1)
      if (content === null) continue
      const [resolver] = content.resolvers
      expect(resolver).toMatchObject({ undecodable: 0, registration: 'valid' })
      expect(resolver!.certificates).toHaveLength(HOLDS)
      expect(new Set(resolver!.certificates.map(({ serial }) => serial)).size).toBe(1)
    }
    if (TIER === 'nightly') process.stderr.write(`${JSON.stringify([...seen])}\n`)
  } finally {
    writer.kill('SIGKILL')
    await gone
  }
})
