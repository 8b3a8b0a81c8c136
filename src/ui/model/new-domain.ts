/** What is typed of a new domain, as the API takes it: three fields, and what else was opened; or a record to begin from. */
import type { Domain } from '../api/types.ts'
import { draftOf, EMPTY, FIELDS, setOf, updateOf, type Draft } from './draft.ts'
import { parseTarget } from './target.ts'

export interface NewDraft {
  readonly name: string
  readonly target: string
  readonly more: Draft
}

/** Behind "More": the first three have a place of their own. */
const OWN = new Set<keyof Draft>([
  'domain',
  'backend_host',
  'backend_port',
  'auth_required',
  'backend_scheme',
])
export const MORE_FIELDS = FIELDS.filter(({ field }) => !OWN.has(field))

export const emptyDraft = (name: string, target: string): NewDraft => ({ name, target, more: EMPTY })

/** A copy begins with all but the name. */
export function copyDraft(record: Domain): NewDraft {
  const { backend_host, backend_port, backend_scheme } = record
  const host = backend_host?.includes(':') === true ? `[${backend_host}]` : (backend_host ?? '')
  const scheme = backend_scheme === 'http' || backend_scheme === 'https' ? `${backend_scheme}://` : ''
  const target = backend_port === null ? host : `${scheme}${host}:${backend_port}`
  return { name: '', target, more: draftOf(record) }
}

/** What was kept of it, over what the address says; an older page may have kept less. */
export const typedAgain = (begun: NewDraft, kept: Partial<NewDraft> | null): NewDraft =>
  kept === null ? begun : { ...begun, ...kept, more: { ...begun.more, ...kept.more } }

/** An address to paste may hold a password, which is kept nowhere. */
export const withoutSecrets = (draft: NewDraft): NewDraft => ({
  ...draft,
  target: draft.target.replace(/[^/\s]*@/g, ''),
})

const LOOKS_LIKE_A_NAME = /^[^\s.]+\.[^\s]+$/
const MAX_NAME = 253
const MAX_PORT = 65_535

export const nameOf = (typed: string): string | null => {
  const name = typed.trim().toLowerCase()
  return LOOKS_LIKE_A_NAME.test(name) && name.length <= MAX_NAME ? name : null
}

export interface NewBody extends Readonly<Record<string, unknown>> {
  readonly domain: string
}

/** Null while name and target are none yet. Of a copy the whole record, else only what is other than the API has it. */
export function newBody({ name, target, more }: NewDraft, copied: Domain | null): NewBody | null {
  const domain = nameOf(name)
  const parsed = parseTarget(target)
  if (domain === null || parsed === null || parsed.backend_port === null) return null
  const { backend_host, backend_port, backend_scheme } = parsed
  const base = copied === null ? {} : updateOf(copied, more)
  const said = copied === null ? saidOf(more) : {}
  const { service_type } = more
  return {
    ...base,
    ...said,
    domain,
    service_type,
    backend_host,
    backend_port,
    auth_required: more.auth_required === 'yes',
    ...(backend_scheme !== null && { backend_scheme }),
  }
}

/** `setOf` looks at nothing of a record but what moves from it; of a new one that is what was typed. */
const saidOf = (more: Draft): Readonly<Record<string, unknown>> => setOf(EMPTY_RECORD, more)

const EMPTY_RECORD = {
  ...EMPTY,
  backend_port: null,
  auth_required: true,
  ssl_enabled: true,
  ddns_enabled: false,
  dns_ttl: null,
  middleware_config: { extra_middlewares: [] },
  tags: [],
} as unknown as Domain

/** As far as it is typed, for the checks; null while the name is none yet. */
export function checkOf({ name, target, more: { service_type } }: NewDraft) {
  const domain = nameOf(name)
  if (domain === null) return null
  const parsed = parseTarget(target)
  const port = parsed?.backend_port ?? null
  if (parsed === null || port === null || port < 1 || port > MAX_PORT) return { domain, service_type }
  return { domain, service_type, backend_host: parsed.backend_host, backend_port: port }
}
