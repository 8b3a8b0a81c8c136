/** Settings of certificates: where the proxy keeps its own, where what it serves can be seen, and how we obtain ours. */
import { acmeDirectory, caaIdentity, emailAddress, externalAccountKey } from './setting-kinds.ts'
import { headerText, oneOf, path, yamlPath } from '../../config/kinds/basic.ts'
import { parseNameServer } from '../../config/kinds/name-servers.ts'
import { showHostPort } from '../../config/kinds/network.ts'
import { listOf, textual, wrong } from '../../config/kinds/refine.ts'
import { optional, secret, setting } from '../../config/setting.ts'

export const certificates = {
  acme_store: optional({
    name: 'PLUMBLINE_ACME_STORE',
    example: '/etc/traefik/acme.json',
    schema: path,
    help: 'The proxy’s certificate store (Traefik’s acme.json), to see what it holds. Only read, and only names and dates.',
  }),
  tls_address: optional({
    name: 'PLUMBLINE_TLS_ADDRESS',
    example: '127.0.0.1:443',
    schema: textual((text) =>
      /:\d+$/.test(text) ? parseNameServer(text) : wrong('must be host:port, such as traefik:443'),
    ),
    show: showHostPort,
    help: 'Where the proxy serves TLS (host:port): each served name is shaken hands with there, and another certificate than its own is drift. Unset: nothing is watched; whoever asks for a public name’s certificate has it asked on its entrypoint’s port.',
  }),
  mode: setting({
    name: 'PLUMBLINE_CERTIFICATES',
    example: 'manager',
    schema: oneOf(['proxy', 'manager']),
    default: 'proxy',
    help: 'proxy: public names are the business of the proxy’s resolver, and internal ones ours. manager: all names are ours. Ours need PLUMBLINE_ACME_DIRECTORY.',
  }),
  acme_directory: optional({
    name: 'PLUMBLINE_ACME_DIRECTORY',
    example: 'letsencrypt',
    schema: acmeDirectory,
    help: 'The authority: letsencrypt, letsencrypt-staging, zerossl, or the URL of a directory. Unset: nothing is obtained here.',
  }),
  acme_staging: optional({
    name: 'PLUMBLINE_ACME_STAGING',
    example: 'letsencrypt-staging',
    schema: acmeDirectory,
    help: 'Where an order that failed is rehearsed before it is tried again, such as letsencrypt-staging.',
  }),
  acme_email: optional({
    name: 'PLUMBLINE_ACME_EMAIL',
    example: 'ops@example.com',
    schema: emailAddress,
    help: 'Where the authority writes to.',
  }),
  acme_eab_kid: optional({
    name: 'PLUMBLINE_ACME_EAB_KID',
    example: 'kid-1',
    schema: headerText,
    help: 'Key id of the external account, for authorities that ask for one (ZeroSSL).',
  }),
  acme_eab_key: secret({
    name: 'PLUMBLINE_ACME_EAB_KEY',
    schema: externalAccountKey,
    help: 'Its HMAC key in base64url, as the authority gave it.',
  }),
  acme_ca_file: optional({
    name: 'PLUMBLINE_ACME_CA_FILE',
    example: '/etc/plumbline/step-ca.pem',
    schema: path,
    help: 'PEM file with further roots to trust, for an authority of your own (step-ca).',
  }),
  acme_caa: setting({
    name: 'PLUMBLINE_ACME_CAA',
    example: 'letsencrypt.org',
    schema: listOf(caaIdentity),
    default: '',
    help: 'Names by which CAA records know the authority, comma-separated. Unset: what its directory tells.',
  }),
  dir: setting({
    name: 'PLUMBLINE_CERTIFICATES_DIR',
    example: '/var/lib/plumbline-certificates',
    schema: path,
    default: 'certificates',
    default_in: 'PLUMBLINE_DATA_DIR',
    help: 'Directory of the keys and certificates that were obtained here.',
  }),
  file: optional({
    name: 'PLUMBLINE_CERTIFICATES_FILE',
    example: '/etc/traefik/dynamic/certificates.yml',
    schema: yamlPath,
    help: 'The file that names them to the proxy. Unset: certificates.yml beside the routes file.',
  }),
  path_in_proxy: optional({
    name: 'PLUMBLINE_CERTIFICATES_PATH_IN_PROXY',
    example: '/certificates',
    schema: path,
    help: 'Where the proxy sees PLUMBLINE_CERTIFICATES_DIR, as in a container. Unset: at the same path.',
  }),
}

declare module '../../config/sections.ts' {
  interface Sections {
    readonly certificates: typeof certificates
  }
}
