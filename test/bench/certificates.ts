/** The proxy's certificate store: what a look costs when nothing changed, and when one certificate of 10,000 did. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AcmeStoreFile } from '../../src/features/certificates/acme-store/acme-store.ts'
import { readCertificate } from '../../src/features/certificates/x509/read-certificate.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { acmeJson, certificateAuthority, type Issued } from '../fakes/certificate-authority.ts'
import { manyCertificates } from '../fakes/many-certificates.ts'
import { median, ms, paired, type Row, timed } from './measure.ts'

const COUNT = 10_000
const LOOKS = 20_000
const ROUNDS = 9
const NEVER = new AbortController().signal

/** What is on disk is never younger than a look's patience. */
const clock = { ...systemClock, now: () => Date.now() + 5000 }

export async function certificateRows(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  const authority = certificateAuthority()
  try {
    const path = join(directory, 'acme.json')
    const all = manyCertificates(authority.issue({ names: ['app.example.com'] }), COUNT)
    writeFileSync(path, acmeJson(all), { mode: 0o600 })
    chmodSync(path, 0o600)
    return [await unchanged(path), await renewed(path, all)]
  } finally {
    authority.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

const readerOf = (path: string) => new AcmeStoreFile(path, { read: readCertificate, clock })

async function unchanged(path: string): Promise<Row> {
  const store = readerOf(path)
  await store.read(NEVER)
  const times: number[] = []
  for (let round = 0; round <= ROUNDS; round++)
    times.push(
      await timed(async () => {
        for (let look = 0; look < LOOKS; look++) await store.read(NEVER)
      }),
    )
  const us = (median(times.slice(1)) * 1000) / LOOKS
  return {
    goal: `look at an unchanged store of ${COUNT.toLocaleString('en')} certificates`,
    figure: `${us.toFixed(1)} µs`,
    limit: 'at most 5 µs',
    ok: us <= 5,
  }
}

/** Both sides read and parse the same file; one knows all of it but one certificate. */
async function renewed(path: string, all: readonly Issued[]): Promise<Row> {
  const knowing = readerOf(path)
  await knowing.read(NEVER)
  let turn = 0
  const before = knowing.figures.decoded
  const pair = await paired(
    { rounds: ROUNDS, ours_per_round: 1 },
    () => {
      const renewal = manyCertificates(all[0]!, 1, COUNT + turn++)
      writeFileSync(path, acmeJson([...renewal, ...all.slice(1)]))
      return knowing.read(NEVER)
    },
    () => {
      const renewal = manyCertificates(all[0]!, 1, COUNT + turn)
      writeFileSync(path, acmeJson([...renewal, ...all.slice(1)]))
      return readerOf(path).read(NEVER)
    },
  )
  const decoded = (knowing.figures.decoded - before) / turn
  return {
    goal: `one certificate renewed of ${COUNT.toLocaleString('en')}, against decoding all`,
    figure: `${pair.times_faster.toFixed(1)}x faster (${ms(pair.ours_ms)} against ${ms(pair.theirs_ms)} ms), ${decoded} decoded`,
    limit: 'at least 4x, 1 decoded',
    ok: pair.times_faster >= 4 && decoded === 1,
  }
}
