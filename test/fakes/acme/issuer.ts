/** Signs certificates by openssl, after a look at what the request asks for. */
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool } from '../../peers/peer.ts'

export interface Issuer {
  /** The DNS names of a request whose own signature fits. Throws for any other. */
  namesIn(csr: Uint8Array): Promise<readonly string[]>
  /** The chain, leaf first. @param names what the certificate is for, whatever the request says */
  issue(csr: Uint8Array, names: readonly string[], days: number): Promise<string>
}

/** @param directory where `makeTlsFiles` has put its root */
export function issuerIn(directory: string): Issuer {
  const at = (name: string) => join(directory, name)
  let count = 0
  return {
    async namesIn(csr) {
      // Several requests may be looked at at once.
      const file = at(`looked-at-${++count}.csr`)
      writeFileSync(file, csr)
      const asked = ['req', '-inform', 'DER', '-in', file, '-verify', '-noout', '-text']
      const text = await runTool('openssl', asked)
      return [...text.matchAll(/DNS:([^\s,]+)/g)].map(([, name]) => name!).sort()
    },
    async issue(csr, names, days) {
      const leaf = `issued-${++count}`
      writeFileSync(at(`${leaf}.csr`), csr)
      const san = names.map((name) => `DNS:${name}`).join(',')
      writeFileSync(at(`${leaf}.ext`), `subjectAltName=critical,${san}\nauthorityKeyIdentifier=keyid\n`)
      const serial = `0x7${randomBytes(15).toString('hex')}`
      const signer = ['-CA', at('tls-ca.pem'), '-CAkey', at('tls-ca.key'), '-set_serial', serial]
      const request = [
        'x509',
        '-req',
        '-inform',
        'DER',
        '-in',
        at(`${leaf}.csr`),
        '-extfile',
        at(`${leaf}.ext`),
      ]
      await runTool('openssl', [...request, ...signer, '-days', String(days), '-out', at(`${leaf}.pem`)])
      return readFileSync(at(`${leaf}.pem`), 'utf8') + readFileSync(at('tls-ca.pem'), 'utf8')
    },
  }
}
