/** Secrets of every kind that passes through the house, each with a mark that must never be found in a log. */
import { Secret } from '../../../src/kernel/secret.ts'

export const MARK = 'CANARY'
const RANDOM = `${MARK}0f3a9c71d2e84b56`

const pem = (label: string, head = '') =>
  `-----BEGIN ${label}-----\n${head}MIIEvQ${RANDOM}\nAAAA${RANDOM}+/=\n-----END ${label}-----`

/** Texts that hold a secret, as they turn up in messages of errors, bodies, URLs and files. */
export const SECRET_TEXTS: Readonly<Record<string, string>> = {
  'X-API-Key header': `GET /api/domains HTTP/1.1\r\nX-API-Key: ${RANDOM}\r\nHost: a.example`,
  'bearer token': `401 for Authorization: Bearer ${RANDOM}`,
  'bearer token alone': `sent "Bearer ${RANDOM}", refused`,
  'basic credentials': `refused Basic ${Buffer.from(`admin:${RANDOM}`).toString('base64')}${RANDOM}==`,
  'key in a URL': `GET /api/ddns/update/a.example?ip=192.0.2.1&key=${RANDOM} failed`,
  'KEY in a URL, encoded': `redirect to /login?next=%2Fupdate%3FKEY%3D${RANDOM}`,
  cookie: `Cookie: authelia_session=${RANDOM}; theme=dark`,
  'cookie being set': `{"set-cookie":"session=${RANDOM}; HttpOnly"}`,
  'password of a JSON body': `unexpected field in {"username":"alice","password":"${RANDOM}","x":1}`,
  'password of JSON in JSON': JSON.stringify({ body: JSON.stringify({ password: RANDOM }) }),
  'password of a form': `username=alice&password=${RANDOM}`,
  'password of YAML': `users:\n  alice:\n    password: ${RANDOM}\n`,
  'token of an environment': `CLOUDFLARE_API_TOKEN=${RANDOM} HOME=/root`,
  'private key': `cannot parse ${pem('PRIVATE KEY')}`,
  'encrypted private key': pem('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\n'),
  'SSH private key': pem('OPENSSH PRIVATE KEY'),
  'private key cut off': pem('EC PRIVATE KEY').slice(0, 60),
  'private key with written line ends': JSON.stringify(pem('PRIVATE KEY')),
  'WireGuard keys': `[Interface]\nPrivateKey = ${RANDOM}=\n[Peer]\nPresharedKey=${RANDOM}=\n`,
  'password of a URL': `connect ECONNREFUSED https://admin:${RANDOM}@unifi.example:8443/api`,
  'JSON web token': `expired: eyJhbGciOiJIUzI1NiJ9.${RANDOM}.${RANDOM}`,
  'password hash': `alice has $argon2id$v=19$m=65536,t=3,p=4$${RANDOM}$${RANDOM}`,
  'hash by bcrypt': `alice has $2y$05$${RANDOM}`,
  'hash by yescrypt': `alice has $y$j9T$${RANDOM}$${RANDOM}`,
  'hash by Apache': `alice:$apr1$${RANDOM}$${RANDOM}`,
  'hash by scrypt': `alice has $scrypt$ln=16,r=8,p=1$${RANDOM}$${RANDOM}`,
  'hash by PBKDF2': `alice has $pbkdf2-sha512$310000$${RANDOM}`,
  'hash by SHA-crypt': `alice has $6$rounds=50000$${RANDOM}`,
  'hash of LDAP': `alice:{SSHA}${RANDOM}`,
  'hash of LDAP by SHA-512': `alice:{SSHA512}${RANDOM}`,
  'signature of a URL': `GET /file?expires=1&sig=${RANDOM} failed`,
  'TSIG secret': `algorithm hmac-sha256;\nsecret "x"; tsig_secret: ${RANDOM}`,
}

/** Names under which the whole value is a secret. */
export const SECRET_NAMES = [
  'authorization',
  'Proxy-Authorization',
  'X-API-Key',
  'x_api_key',
  'apiKey',
  'key',
  'token',
  'site_token',
  'refreshToken',
  'password',
  'new_password',
  'passphrase',
  'secret',
  'PLUMBLINE_PROXY_SECRET',
  'clientSecret',
  'private_key',
  'presharedKey',
  'cookie',
  'Set-Cookie',
  'credentials',
] as const

/** Things that hold secrets as the house's code would hand them over. */
export const SECRET_VALUES: Readonly<Record<string, unknown>> = {
  'Secret instance': new Secret(RANDOM),
  bytes: Buffer.from(RANDOM),
  headers: new Headers({ 'x-api-key': RANDOM, authorization: `Bearer ${RANDOM}` }),
  'raw headers': ['Host', 'a.example', 'X-API-Key', RANDOM, 'Cookie', `a=${RANDOM}`],
  map: new Map([['token', RANDOM]]),
  'list of pairs': [['authorization', `Bearer ${RANDOM}`]],
  URL: new URL(`https://admin:${RANDOM}@a.example/?key=${RANDOM}`),
  'something with toJSON': { toJSON: () => ({ password: RANDOM }) },
}

export { RANDOM }
