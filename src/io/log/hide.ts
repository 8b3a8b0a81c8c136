/**
 * What a secret looks like, by the name it stands under and by its own shape. A log is read by more people than a
 * secret is meant for, so in doubt it is hidden.
 */
export const HIDDEN = '[hidden]'

// Compared without case, hyphens and underscores: X-API-Key, x_api_key and xApiKey are one name.
const WHOLE_NAMES = new Set(['key', 'pass', 'pwd', 'psk', 'jwt', 'otp'])
const NAME_ENDS =
  /(?:authorization|apikey|privatekey|presharedkey|accesskey|signingkey|hmac|tokens?|cookies?|credentials?|sessionid)$/
const NAME_PARTS = /password|passwd|passphrase|secret/
// Most names and texts hold none of these and are told from the rest by one quick test.
const TELLING_NAME = /key|pass|pwd|psk|jwt|otp|auth|hmac|token|cookie|cred|session|secret/i
const TELLING_TEXT = /-----BEGIN|key|pass|pwd|psk|jwt|auth|token|cookie|secret|bearer|basic|digest|@|eyJ|\$/i

/** Whether what stands under this name is hidden, however deep. */
export function isSecretName(name: string): boolean {
  if (!TELLING_NAME.test(name)) return false
  const plain = name
    .slice(0, 200)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
  return WHOLE_NAMES.has(plain) || NAME_ENDS.test(plain) || NAME_PARTS.test(plain)
}

const WORD =
  '(?:key|pwd|psk|jwt|[a-z_-]{0,40}(?:(?:api|private|preshared|access|signing)[_-]?key|token|password|passwd|passphrase|secret))'

/** Each is linear in the text: what comes before the telling part is bounded, what comes after it ends at one class. */
const SHAPES: readonly (readonly [shape: RegExp, instead: string])[] = [
  // PEM blocks, also when they are cut off before their end.
  [/-----BEGIN [A-Z0-9 ]{1,64}-----[\s\S]*?(?:-----END [A-Z0-9 ]{1,64}-----|$)/g, HIDDEN],
  // Header lines, to their end.
  [
    /\b((?:proxy-)?authorization|x-api-key|(?:set-)?cookie)(["']?\s{0,8}[:=]\s{0,8})[^\r\n]+/gi,
    `$1$2${HIDDEN}`,
  ],
  [/\b(bearer|apikey)\s{1,8}[^\s"',;]+/gi, `$1 ${HIDDEN}`],
  [/\b(basic|digest)\s{1,8}[A-Za-z0-9+/_=-]{8,}/gi, `$1 ${HIDDEN}`],
  // user:password@ in URLs.
  [/\/\/[^\s/?#@"']{1,256}@/g, `//${HIDDEN}@`],
  // "name": "value" of JSON, also of JSON within JSON.
  [new RegExp(`(\\\\?["']${WORD}\\\\?["']\\s{0,8}:\\s{0,8}\\\\?["'])[^"'\\\\]*`, 'gi'), `$1${HIDDEN}`],
  // name=value of URLs, forms and configuration files; name: value of YAML.
  [
    new RegExp(
      `(?:(?<![a-z0-9])|(?<=%[0-9a-f]{2}))(${WORD}(?:\\s{0,8}(?:=|%3d)\\s{0,8}|:\\s{1,8}))["']?[^\\s&"',;)]+`,
      'gi',
    ),
    `$1${HIDDEN}`,
  ],
  // JSON web tokens and password hashes, wherever they stand.
  [/\beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){1,4}/g, HIDDEN],
  [/\$(?:argon2(?:id|i|d)|2[aby]|[156y])\$[^\s"']+/g, HIDDEN],
]

/** The text with everything that looks like a secret hidden. */
export function hideSecrets(text: string): string {
  if (!TELLING_TEXT.test(text)) return text
  let hidden = text
  for (const [shape, instead] of SHAPES) hidden = hidden.replace(shape, instead)
  return hidden
}
