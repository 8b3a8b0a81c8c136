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
      const request = ['req', '-x509', '-nodes', ...newKey(key), '-keyout', `${at}.key`, '-out', `${at}.pem`]
      const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-days', String(days), '-subj', '/CN=leaf']
      openssl(...request, ...signed, ...(san === '' ? [] : ['-addext', `subjectAltName=${san}`]))
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
