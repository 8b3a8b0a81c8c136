/** The catalogue of what the console says: causes, guards, fields, and plurals. */
import { RECORD_FIELD_NAMES, RECORD_FIELDS } from './record-fields.ts'

const PLURALS = new Intl.PluralRules('en')

/** `count(3, 'domain')` is "3 domains". */
export const count = (n: number, one: string, other = plural(one)): string =>
  `${number(n)} ${PLURALS.select(n) === 'one' ? one : other}`

export const plural = (one: string): string => `${one}${one.endsWith('s') ? 'es' : 's'}`

const NUMBERS = new Intl.NumberFormat('en')

/** Thousands are set apart by a thin space. */
export const number = (n: number): string => NUMBERS.format(n).replaceAll(',', '\u2009')

/** How many there are; none of a list that was not seen in whole is not none. */
export const sizeText = (size: number, isWhole: boolean): string =>
  size === 0 && !isWhole ? 'not known' : number(size)

const LISTS = new Intl.ListFormat('en', { type: 'conjunction' })

/** "a, b and 3 more": never longer than a line. */
export function listed(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most)
  const rest = names.length - shown.length
  return LISTS.format(rest === 0 ? shown : [...shown, `${number(rest)} more`])
}

interface Words {
  readonly title: string
  /** One sentence on what people outside notice, or what it means. */
  readonly means: string
}

const CAUSES = new Map<string, Words>([
  [
    'pending_deploy',
    { title: 'Saved, not deployed', means: 'It waits for a deploy. What runs is what was released.' },
  ],
  [
    'renderer_changed',
    {
      title: 'Written differently by this version',
      means: 'This version writes it in another way; a deploy does so.',
    },
  ],
  [
    'edited',
    { title: 'Edited by hand', means: 'Somebody changed it where it is; it is not what was released.' },
  ],
  ['lost', { title: 'Gone', means: 'It was released and is not there any more.' }],
  [
    'applied_unrecorded',
    {
      title: 'Already there, and no release says so',
      means: 'What is saved is there already. A deploy records it; until then a repair takes it back.',
    },
  ],
  [
    'edited_and_pending',
    {
      title: 'Edited by hand, and saved differently',
      means: 'Saved, released and there are three different things.',
    },
  ],
  [
    'foreign_owner',
    { title: 'Somebody else’s', means: 'Somebody else made it, or claims it too; it is left alone.' },
  ],
  [
    'orphan',
    {
      title: 'Marked as ours, unknown here',
      means:
        'It bears our mark and is not in the database, as after a restored backup. Adopt it, or remove it.',
    },
  ],
  [
    'not_loaded',
    {
      title: 'Written, not loaded',
      means: 'It is written as it should be; what reads it shows something else.',
    },
  ],
  [
    'rejected',
    {
      title: 'Refused',
      means: 'Whoever has to take it refuses it: the proxy, the provider or the authority.',
    },
  ],
  [
    'access',
    {
      title: 'Wrong owner or mode',
      means: 'The bytes are right; the owner or the mode of the file or of its folder is wrong.',
    },
  ],
  [
    'neighbour',
    {
      title: 'Another file is in the way',
      means: 'Another file of the folder, which is not ours, keeps the proxy from taking ours.',
    },
  ],
  ['shadowed', { title: 'Another route takes it', means: 'A route of somebody else answers for this name.' }],
  ['not_served', { title: 'Not served', means: 'The proxy serves another certificate.' }],
  ['removing', { title: 'Being removed', means: 'It is on its way out, or waits for your word.' }],
  [
    'contested',
    {
      title: 'Edited by hand, again and again',
      means:
        'Repairs rest until an hour after their last change, or until a deploy, so that two writers do not fight.',
    },
  ],
])

export const causeTitle = (cause: string): string => CAUSES.get(cause)?.title ?? plain(cause)
export const causeMeans = (cause: string): string => CAUSES.get(cause)?.means ?? ''

const GUARDS = new Map<string, string>([
  ['incomplete_read', 'What is there could not be read whole, so nothing is deleted.'],
  ['emptied_edition', 'It would empty everything that is released.'],
  ['bulk_removal', 'It removes many live domains at once.'],
  ['protected_name', 'It removes a name that others depend on.'],
  ['not_ours', 'It would touch what is not ours.'],
  ['not_whole', 'It could not be carried out whole.'],
  ['stale_release', 'A newer release came in between.'],
  ['contested', 'Somebody else keeps writing the same thing.'],
  ['restored_from_backup', 'The database was restored from a backup.'],
  ['outranks_protection', 'It would take precedence over a protected route.'],
  ['weaker_policy', 'It would let more people in to a domain that gets another name.'],
])

export const guardTitle = (rule: string): string => GUARDS.get(rule) ?? plain(rule)

const FIELDS = new Map<string, string>([
  ...RECORD_FIELD_NAMES.map((field) => [field, RECORD_FIELDS[field][0]] as const),
  ['middlewares', 'Middlewares'],
  ['status', 'Status'],
])

export const fieldName = (field: string): string => FIELDS.get(field) ?? plain(field)

/** The value of a field as a person reads it. */
export function fieldValue(field: string, value: unknown): string {
  if (value === null || value === undefined) return field === 'static_ip' ? 'the public address' : '–'
  if (field === 'auth_required') return value === true ? 'required' : 'open to all'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(entryText).join(', ')
  if (typeof value === 'object') return objectText(value)
  if (typeof value === 'number') return field === 'dns_ttl' ? `${value} s` : String(value)
  return typeof value === 'string' ? value : ''
}

function entryText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if (!('item' in value) || !('detail' in value)) return objectText(value)
  const [item, detail] = [String(value.item), String(value.detail)]
  return detail.includes(item) ? detail : `${item}: ${detail}`
}

function objectText(value: object): string {
  const extra = Object.entries(value).flatMap(([key, one]) =>
    Array.isArray(one) ? one.map(String) : [`${plain(key)} ${String(one)}`],
  )
  return extra.length === 0 ? '–' : extra.join(', ')
}

const VERBS = new Map<string, string>([
  ['create', 'add'],
  ['update', 'change'],
  ['delete', 'remove'],
])

export const verbWord = (verb: string): string => VERBS.get(verb) ?? verb

const COMPONENTS = new Map<string, string>([
  ['routes', 'Routes'],
  ['dns', 'DNS'],
  ['sso', 'Sign-in rules'],
  ['sso_rules', 'Sign-in rules'],
  ['certificates', 'Certificates'],
  ['certificates_file', 'Certificates file'],
  ['cert', 'Certificate'],
  ['people', 'People'],
  ['sso_proof', 'Sign-in at each route'],
  ['ssh_gateway', 'SSH gateway'],
  ['ssh_proxy', 'SSH targets'],
  ['alerting', 'Alerting'],
  ['database', 'Database'],
  ['journal', 'Journal'],
  ['world', 'World against database'],
  ['dns_account', 'DNS account'],
  ['dns_integrity', 'DNS from outside'],
  ['resolvers', 'Resolvers'],
  ['certificates_served', 'Certificates as served'],
  ['acme', 'Authority'],
  ['sso_attachments', 'Sign-in attachments'],
  ['sso_routes', 'Proof of sign-in'],
  ['sso_provider', 'Sign-in provider'],
  ['sso_users', 'People'],
  ['mail', 'Mail'],
  ['credentials', 'Credentials'],
  ['ddns', 'Dynamic DNS'],
  ['heartbeats', 'Heartbeats'],
  ['alerting_settings', 'Alert router'],
  ['edges', 'Edges'],
  ['docker', 'Docker'],
  ['proxmox', 'Proxmox'],
  ['unifi', 'UniFi'],
  ['ssh_host_keys', 'SSH host keys'],
  ['vpn', 'VPN'],
  ['proxy', 'Proxy'],
  ['routes_folder', 'Folder of the routes file'],
])

/** `dns:home.example` is "DNS" and "home.example". */
export function componentWords(name: string): { readonly title: string; readonly detail: string } {
  const at = name.indexOf(':')
  const component = at === -1 ? name : name.slice(0, at)
  const title = COMPONENTS.get(component.replaceAll('-', '_')) ?? capital(plain(component))
  return { title, detail: at === -1 ? '' : name.slice(at + 1) }
}

export const plain = (name: string): string => name.replaceAll(/[_-]/g, ' ')
export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** With its capital and its full stop, for a part of one behind another; names of files and hosts keep theirs. */
export const sentence = (text: string): string =>
  text === '' ? '' : `${/^[a-z]+ /.test(text) ? capital(text) : text}${/[.?!]$/.test(text) ? '' : '.'}`

/** `sso:ana` is "ana"; a key and the reconciler keep their names. */
export const actorName = (actor: string): string => actor.replace(/^sso:/, '')
