/** Certificates made by the openssl command, as another implementation than the one that reads them. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Issued {
  readonly cert: string
  readonly key: string
}

export interface CertificateWish {
  readonly names: readonly string[]
  /** Below zero for one that has ended. */
  readonly days?: number
  readonly key?: 'ec' | 'rsa'
  /** A whole subjectAltName in openssl's words, in place of the names. */
  readonly raw_san?: string
}

export interface CertificateAuthority {
  issue(wish: CertificateWish): Issued
  close(): void
}

export function certificateAuthority(common_name = 'Test Intermediate'): CertificateAuthority {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-ca-'))
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] })
  const newKey = (kind: 'ec' | 'rsa') =>
    kind === 'ec' ? ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'] : ['-newkey', 'rsa:2048']
  const request = ['req', '-x509', '-nodes', ...newKey('ec'), '-keyout', 'ca.key', '-out', 'ca.pem']
  openssl(...request, '-days', '30', '-subj', `/O=Test/CN=${common_name}`)
  let count = 0
  return {
    issue({ names, days = 60, key = 'ec', raw_san }) {
      const at = `leaf${++count}`
      const san = raw_san ?? names.map((name) => `DNS:${name}`).join(',')
      const new_key = ['-nodes', ...newKey(key), '-keyout', `${at}.key`]
      const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-days', String(days)]
      const subject = ['-subj', '/CN=leaf', ...(san === '' ? [] : ['-addext', `subjectAltName=${san}`])]
      if (days > 0) openssl('req', '-x509', ...new_key, '-out', `${at}.pem`, ...signed, ...subject)
      else {
        openssl('req', ...new_key, '-out', `${at}.csr`, ...subject)
        const copied = ['-copy_extensions', 'copy', '-out', `${at}.pem`]
        openssl('x509', '-req', '-in', `${at}.csr`, ...signed, ...copied)
      }
      const read = (file: string) => readFileSync(join(directory, file), 'utf8')
      return { cert: read(`${at}.pem`) + read('ca.pem'), key: read(`${at}.key`) }
    },
    close: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** Traefik's acme.json with these certificates under one resolver. */
export const acmeJson = (issued: readonly Issued[], resolver = 'letsencrypt'): string =>
  JSON.stringify({
    [resolver]: {
      Account: {
        Email: 'somebody@example.com',
        Registration: {
          body: { status: 'valid', contact: ['mailto:somebody@example.com'] },
          uri: 'https://ca.test/acct/7',
        },
        PrivateKey: 'c2VjcmV0LWFjY291bnQta2V5',
        KeyType: '4096',
      },
      Certificates: issued.map(({ cert, key }) => ({
        domain: { main: 'whatever.example.com' },
        certificate: Buffer.from(cert).toString('base64'),
        key: Buffer.from(key).toString('base64'),
        Store: 'default',
      })),
    },
  })
