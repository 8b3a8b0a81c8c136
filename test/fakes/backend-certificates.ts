/** Certificates as backends have them: of an authority of one's own, their own, expired, without a name. Made by openssl. */
import { execFileSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface BackendCertificate {
  /** The certificate alone. */
  readonly cert: string
  readonly key: string
  /** SHA-256, lower-case hexadecimal. */
  readonly fingerprint: string
}

export interface CertificateWish {
  /** openssl's words: `DNS:nas.lan,IP:127.0.0.1`; empty for none. */
  readonly san: string
  /** Of the authority, or its own. */
  readonly by?: 'authority' | 'itself'
  readonly days?: number
}

export interface BackendCertificates {
  /** PEM of the authority's own. */
  readonly authority: string
  make(wish: CertificateWish): BackendCertificate
  /** Itself in order, and sent with an authority that has expired, of a root that nobody has. */
  strayed(san: string): BackendCertificate
}

export function backendCertificates(): BackendCertificates & Disposable {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-backend-ca-'))
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] })
  const read = (file: string) => readFileSync(join(directory, file), 'utf8')
  const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl(
    'req',
    '-x509',
    ...EC,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '30',
    '-subj',
    '/CN=Home Root',
  )
  let count = 0
  const sign = (name: string, ext: string, by: string, days: number): void => {
    openssl('req', ...EC, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`)
    writeFileSync(join(directory, `${name}.ext`), `${ext}\n`)
    const signer =
      by === name ? ['-key', `${name}.key`] : ['-CA', `${by}.pem`, '-CAkey', `${by}.key`, '-CAcreateserial']
    const asked = ['x509', '-req', '-in', `${name}.csr`, '-days', String(days), '-extfile', `${name}.ext`]
    openssl(...asked, ...signer, '-out', `${name}.pem`)
  }
  return {
    authority: read('ca.pem'),
    make({ san, by = 'itself', days = 30 }) {
      const at = `leaf${++count}`
      openssl('req', ...EC, '-keyout', `${at}.key`, '-out', `${at}.csr`, '-subj', '/CN=127.0.0.1')
      writeFileSync(join(directory, `${at}.ext`), san === '' ? '' : `subjectAltName=${san}\n`)
      const signer = by === 'itself' ? ['-key', `${at}.key`] : ['-CA', 'ca.pem', '-CAkey', 'ca.key']
      const asked = ['x509', '-req', '-in', `${at}.csr`, '-days', String(days), '-extfile', `${at}.ext`]
      const serial = by === 'itself' ? [] : ['-CAcreateserial']
      openssl(...asked, ...signer, ...serial, '-out', `${at}.pem`)
      const cert = read(`${at}.pem`)
      const fingerprint = createHash('sha256').update(new X509Certificate(cert).raw).digest('hex')
      return { cert, key: read(`${at}.key`), fingerprint }
    },
    strayed(san) {
      sign('stray-root', 'basicConstraints=critical,CA:TRUE', 'stray-root', 30)
      sign('stray-middle', 'basicConstraints=critical,CA:TRUE', 'stray-root', -1)
      sign('stray', `subjectAltName=${san}`, 'stray-middle', 30)
      const fingerprint = createHash('sha256')
        .update(new X509Certificate(read('stray.pem')).raw)
        .digest('hex')
      return { cert: read('stray.pem') + read('stray-middle.pem'), key: read('stray.key'), fingerprint }
    },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  }
}
