/** The file that names further DNS accounts. Secrets stand in files of their own, so that this one may lie open. */
import { z } from 'zod'
import { type FieldError, fieldError } from '../../../kernel/failure.ts'
import type { Secret } from '../../../kernel/secret.ts'
import { type DnsAccount, limitedTo } from './dns-account.ts'
import { headerSecret, path } from '../../../config/kinds/basic.ts'
import { parseNameServer } from '../../../config/kinds/name-servers.ts'
import { httpUrl, parseHost } from '../../../config/kinds/network.ts'
import { textual, Wrong, wrong } from '../../../config/kinds/refine.ts'
import { readSmallFile } from '../../../config/read-file.ts'
import { commandLine, parseZone, TSIG_ALGORITHMS } from '../settings.ts'

const NAME = 'PLUMBLINE_DNS_ACCOUNTS_FILE'
const MOST_ACCOUNTS = 50

const each = (parse: (text: string) => string | Wrong) => z.array(textual(parse))

/** The path of a file that holds one secret. */
const secretFile = path.pipe(
  textual<Secret>((file) => {
    try {
      const text = readSmallFile(file)
      if (text === null) return wrong(`there is no file ${file}`)
      const secret = headerSecret.safeParse(text.trim())
      return secret.success ? secret.data : wrong(`${file} must hold one secret and nothing else`)
    } catch (cause) {
      return wrong(`${file} cannot be read (${(cause as Error).message})`)
    }
  }),
)

const common = {
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'must be a word of lower-case letters, digits, - and _, up to 32'),
  zones: each(parseZone).default([]),
}

const hosted = <const P extends string>(provider: P) =>
  z.strictObject({
    ...common,
    provider: z.literal(provider),
    token_file: secretFile,
    url: httpUrl.nullable().default(null),
  })

const Account = z.discriminatedUnion('provider', [
  z.strictObject({
    ...common,
    provider: z.literal('zonefile'),
    directory: path,
    nameservers: each(parseHost).min(1),
    reload: commandLine.nullable().default(null),
  }),
  z.strictObject({ ...common, provider: z.literal('powerdns'), url: httpUrl, api_key_file: secretFile }),
  hosted('cloudflare'),
  hosted('hetzner'),
  hosted('desec'),
  z.strictObject({
    ...common,
    provider: z.literal('rfc2136'),
    zones: each(parseZone).min(1),
    server: textual(parseNameServer),
    key_name: textual(parseHost),
    key_secret_file: secretFile,
    key_algorithm: z.enum(TSIG_ALGORITHMS).default('hmac-sha256'),
  }),
])

const AccountsFile = z.strictObject({ accounts: z.array(Account).min(1).max(MOST_ACCOUNTS) })

/** @param only the zones that may be touched at all; empty for every one. Adds what is wrong to `errors`. */
export function accountsIn(
  listed: unknown,
  only: readonly string[],
  errors: FieldError[],
): readonly DnsAccount[] {
  const parsed = AccountsFile.safeParse(listed)
  if (parsed.success) return parsed.data.accounts.flatMap((account) => accountOf(account, only, errors) ?? [])
  for (const { path: place, message } of parsed.error.issues)
    errors.push(fieldError([NAME], `${place.join('.')}: ${message}`.replace(/^: /, ''), 'config'))
  return []
}

function accountOf(
  listed: z.infer<typeof Account>,
  only: readonly string[],
  errors: FieldError[],
): DnsAccount | null {
  const { name, provider } = listed
  const zones = listed.zones.length === 0 ? only : limitedTo(listed.zones, only)
  // No zones would mean all of them.
  if (listed.zones.length > 0 && zones.length === 0) {
    errors.push(
      fieldError([NAME], `gives "${name}" no zone that PLUMBLINE_DNS_ZONES lets be touched`, 'config'),
    )
    return null
  }
  switch (provider) {
    case 'zonefile':
      return { ...listed, zones }
    case 'powerdns':
      return { name, zones, provider, url: listed.url, api_key: listed.api_key_file }
    case 'rfc2136': {
      const { server, key_name, key_algorithm: algorithm, key_secret_file: secret } = listed
      return { name, zones, provider, server, key: { name: key_name, algorithm, secret } }
    }
    case 'cloudflare':
    case 'hetzner':
    case 'desec':
      return { name, zones, provider, token: listed.token_file, url: listed.url }
  }
}
