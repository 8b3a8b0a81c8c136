/** A certificate for 127.0.0.1 and localhost, and the authority that signed it, as files made by openssl. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool } from './peer.ts'

export interface TlsFiles {
  /** PEM of the root that a client must trust. */
  readonly ca_file: string
  readonly cert_file: string
  readonly key_file: string
}

const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** Good for thirty days. */
export async function makeTlsFiles(directory: string): Promise<TlsFiles> {
  const [ca_file, ca_key, cert_file, key_file, request, extensions] = [
    'tls-ca.pem',
    'tls-ca.key',
    'tls.pem',
    'tls.key',
    'tls.csr',
    'tls.ext',
  ].map((name) => join(directory, name)) as [string, string, string, string, string, string]
  const root = ['req', '-x509', ...EC, '-keyout', ca_key, '-out', ca_file]
  await runTool('openssl', [...root, '-days', '30', '-subj', '/CN=Loopback Root'])
  await runTool('openssl', ['req', ...EC, '-keyout', key_file, '-out', request, '-subj', '/CN=loopback'])
  writeFileSync(extensions, 'subjectAltName=IP:127.0.0.1,DNS:localhost\n')
  const signed = ['-CA', ca_file, '-CAkey', ca_key, '-CAcreateserial', '-days', '30', '-extfile', extensions]
  await runTool('openssl', ['x509', '-req', '-in', request, ...signed, '-out', cert_file])
  return { ca_file, cert_file, key_file }
}
