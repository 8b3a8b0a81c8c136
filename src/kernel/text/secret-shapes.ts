/**
 * What a secret looks like where it stands in a text, whoever shows that: the log (`io/log/plain.ts`) and what is shown of
 * strangers' files (`hide-secrets.ts`). Private keys span lines, so each of the two hides them in its own way.
 */

const WORD =
  '(?:key|pwd|psk|jwt|[a-z_-]{0,40}(?:(?:api|private|preshared|access|signing)[_-]?key|token|password|passwd|passphrase|secret))'

/** Each is linear in the text: what comes before the telling part is bounded, what comes after it ends at one class. */
const SHAPES: readonly (readonly [shape: RegExp, instead: (hidden: string) => string])[] = [
  // Header lines, to their end.
  [
    /\b((?:proxy-)?authorization|x-api-key|(?:set-)?cookie)(["']?\s{0,8}[:=]\s{0,8})[^\r\n]+/gi,
    (hidden) => `$1$2${hidden}`,
  ],
  [/\b(bearer|apikey)\s{1,8}[^\s"',;]+/gi, (hidden) => `$1 ${hidden}`],
  [/\b(basic|digest)\s{1,8}[A-Za-z0-9+/_=-]{8,}/gi, (hidden) => `$1 ${hidden}`],
  // user:password@ in URLs.
  [/\/\/[^\s/?#@"']{1,256}@/g, (hidden) => `//${hidden}@`],
  // "name": "value" of JSON, also of JSON within JSON.
  [
    new RegExp(`(\\\\?["']${WORD}\\\\?["']\\s{0,8}:\\s{0,8}\\\\?["'])[^"'\\\\]*`, 'gi'),
    (hidden) => `$1${hidden}`,
  ],
  // name=value of URLs, forms and configuration files; name: value of YAML.
  [
    new RegExp(
      `(?:(?<![a-z0-9])|(?<=%[0-9a-f]{2}))(${WORD}(?:\\s{0,8}(?:=|%3d)\\s{0,8}|:\\s{1,8}))["']?[^\\s&"',;)]+`,
      'gi',
    ),
    (hidden) => `$1${hidden}`,
  ],
  [/\b(sig(?:nature)?=)[^\s&"']+/gi, (hidden) => `$1${hidden}`],
  // JSON web tokens and password hashes, wherever they stand: crypt's, Apache's, argon2, scrypt, PBKDF2, LDAP's.
  [/\beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){1,4}/g, (hidden) => hidden],
  [
    /\$(?:argon2(?:id|i|d)?|2[abxy]|apr1|s?crypt|pbkdf2[\w-]{0,40}|gy|sha1|[1567y])\$[^\s"']+/gi,
    (hidden) => hidden,
  ],
  [/\{(?:S?SHA(?:-?\d{1,3})?|S?MD5|CRYPT|PBKDF2[\w-]{0,40}|ARGON2)\}[^\s"',]+/gi, (hidden) => hidden],
]

// Most texts hold none of these and are told from the rest by one quick test.
const TELLING =
  /-----BEGIN|key|pass|pwd|psk|jwt|auth|token|cookie|secret|bearer|basic|digest|sig(?:nature)?=|@|eyJ|\$|\{(?:s?sha|s?md5|crypt|pbkdf2|argon2)/i

/** False: there is no secret in the text, of these shapes or as a private key. */
export const mayHoldSecret = (text: string): boolean => TELLING.test(text)

/** @param hidden what stands in the place of a secret */
export function secretHider(hidden: string): (text: string) => string {
  const shapes = SHAPES.map(([shape, instead]) => [shape, instead(hidden)] as const)
  return (text) => shapes.reduce((shown, [shape, instead]) => shown.replace(shape, instead), text)
}
