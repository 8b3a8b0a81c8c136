/** What Traefik shows where it has no certificate for a name: made once a process, and told by its common name. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface KeyPair {
  readonly cert: string
  readonly key: string
}

let made: KeyPair | null = null

export const defaultCertificate = (): KeyPair => (made ??= make())

function make(): KeyPair {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-default-certificate-'))
  try {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', 'key.pem']
    const subject = [
      '-subj',
      '/CN=TRAEFIK DEFAULT CERT',
      '-addext',
      'subjectAltName=DNS:stand-in.traefik.default',
    ]
    execFileSync(
      'openssl',
      ['req', '-x509', '-nodes', ...key, '-out', 'cert.pem', '-days', '365', ...subject],
      {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    return { cert: read('cert.pem'), key: read('key.pem') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
