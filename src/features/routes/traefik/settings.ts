/** Settings of how the proxy's API is reached: with which credentials, and whose certificate is taken. */
import { Secret } from '../../../kernel/secret.ts'
import { path } from '../../../config/kinds/basic.ts'
import { oneLine } from '../../../config/kinds/name-servers.ts'
import { textual, wrong } from '../../../config/kinds/refine.ts'
import { optional, secret } from '../../../config/setting.ts'

/** A field line of HTTP (RFC 9110 §5.1): a name of token characters, a colon, a value of visible ASCII and blanks. */
const HEADER =
  /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}: *[\u0021-\u007e](?:[\u0020-\u007e]{0,4094}[\u0021-\u007e])?$/i
/** What the connection itself is made of is not for settings. */
const NOT_OURS = /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|accept-encoding):/i

export const traefik = {
  user: optional({
    name: 'PLUMBLINE_TRAEFIK_API_USER',
    example: 'plumbline',
    // RFC 7617 §2: the first colon ends it.
    schema: oneLine.refine((text) => !text.includes(':'), 'must not hold a colon'),
    help: 'User of the proxy’s API, where a password (basic auth) stands before it.',
  }),
  password: secret({
    name: 'PLUMBLINE_TRAEFIK_API_PASSWORD',
    schema: oneLine.transform((text) => new Secret(text)),
    help: 'Password of that user.',
  }),
  header: secret({
    name: 'PLUMBLINE_TRAEFIK_API_HEADER',
    schema: textual((text) =>
      HEADER.test(text) && !NOT_OURS.test(text)
        ? new Secret(text)
        : wrong('must be one header such as "Authorization: Bearer TOKEN", in ASCII'),
    ),
    help: 'A header that lets us in to the proxy’s API, such as `Authorization: Bearer TOKEN` or `X-Api-Key: KEY`.',
  }),
  fingerprint: optional({
    name: 'PLUMBLINE_TRAEFIK_API_FINGERPRINT',
    example:
      '50:D8:58:E0:98:5E:CC:7F:60:41:8A:AF:0C:C5:AB:58:7F:42:C2:57:0A:88:40:95:A9:E8:CC:AC:D0:F6:54:5C',
    schema: textual((text) => {
      const digits = text.replaceAll(':', '').toLowerCase()
      return /^[0-9a-f]{64}$/.test(digits) ? digits : wrong('must be a SHA-256 of 64 hexadecimal digits')
    }),
    help: 'SHA-256 of the one certificate that is taken from the proxy’s API over https: `AB:CD:…`.',
  }),
  ca_file: optional({
    name: 'PLUMBLINE_TRAEFIK_API_CA',
    example: '/etc/plumbline/traefik-ca.pem',
    schema: path,
    help: 'PEM file of the authority that issued the certificate of the proxy’s API, in place of the known ones.',
  }),
}

declare module '../../../config/sections.ts' {
  interface Sections {
    readonly traefik: typeof traefik
  }
}
