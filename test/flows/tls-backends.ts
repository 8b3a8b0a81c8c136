/** Backends over TLS on loopback, each with a certificate of its own kind, and one that speaks HTTP/2 without TLS. */
import { createServer as createPlain } from 'node:http'
import { createServer as createTls } from 'node:https'
import { createServer as createH2c } from 'node:http2'
import type { AddressInfo, Server } from 'node:net'
import {
  type BackendCertificate,
  type BackendCertificates,
  backendCertificates,
} from '../fakes/backend-certificates.ts'

export interface TlsBackends extends AsyncDisposable {
  readonly made: BackendCertificates
  /** Answers every request with its host name; the port. */
  tls(certificate: BackendCertificate): Promise<number>
  h2c(): Promise<number>
  plain(): Promise<number>
}

export function tlsBackends(): TlsBackends {
  const made = backendCertificates()
  const open: Server[] = []
  const listen = async (server: Server): Promise<number> => {
    open.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  return {
    made,
    tls: ({ cert, key }) =>
      listen(
        createTls({ cert, key, keepAlive: false } as object, (request, response) => {
          response.end(`TLS ${request.headers.host}`)
        }),
      ),
    plain: () => listen(createPlain((_request, response) => void response.end('plain'))),
    h2c: () =>
      listen(createH2c((request, response) => void response.end(`h2c ${request.headers[':authority']}`))),
    async [Symbol.asyncDispose]() {
      for (const server of open) await new Promise((resolve) => server.close(resolve))
      made[Symbol.dispose]()
    },
  }
}
