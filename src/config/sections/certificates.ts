/** Settings of certificates: where the proxy keeps its own, and where what it serves can be seen. */
import { path } from '../kinds/basic.ts'
import { parseNameServer } from '../kinds/name-servers.ts'
import { showHostPort } from '../kinds/network.ts'
import { textual, wrong } from '../kinds/refine.ts'
import { optional } from '../setting.ts'

export const certificates = {
  acme_store: optional({
    name: 'PLUMBLINE_ACME_STORE',
    schema: path,
    help: 'The proxy’s certificate store (Traefik’s acme.json), to see what it holds. Only read, and only names and dates.',
  }),
  tls_address: optional({
    name: 'PLUMBLINE_TLS_ADDRESS',
    schema: textual((text) =>
      /:\d+$/.test(text) ? parseNameServer(text) : wrong('must be host:port, such as traefik:443'),
    ),
    show: showHostPort,
    help: 'Where the proxy serves TLS (host:port), to see its certificates. Unset: each public name itself, on its entrypoint’s port.',
  }),
}
